/** The fields of Stripe's objects that the shop reads, as in docs.stripe.com/api. */

export interface Session {
	id: string;
	object: "checkout.session";
	created: number;
	livemode: boolean;
	status: "open" | "complete" | "expired";
	payment_status: "paid" | "unpaid";
	payment_intent: string | null;
	amount_total: number;
	currency: string;
	client_reference_id: string | null;
	customer_email: string | null;
	metadata: Record<string, string>;
	mode: "payment";
	ui_mode: "hosted_page";
	locale: string | null;
	expires_at: number;
	success_url: string;
	cancel_url: string | null;
	url: string | null;
}

export interface Intent {
	id: string;
	object: "payment_intent";
	created: number;
	livemode: boolean;
	status: "succeeded" | "processing" | "requires_payment_method" | "canceled";
	amount: number;
	amount_received: number;
	currency: string;
	latest_charge: string | null;
	metadata: Record<string, string>;
}

export interface Charge {
	id: string;
	object: "charge";
	created: number;
	livemode: boolean;
	payment_intent: string;
	amount: number;
	amount_refunded: number;
	currency: string;
	refunded: boolean;
	disputed: boolean;
	paid: boolean;
	metadata: Record<string, string>;
}

export interface Refund {
	id: string;
	object: "refund";
	created: number;
	payment_intent: string;
	charge: string;
	amount: number;
	currency: string;
	status: "succeeded" | "pending" | "requires_action" | "failed" | "canceled";
	reason: string | null;
	metadata: Record<string, string>;
}

export interface Dispute {
	id: string;
	object: "dispute";
	created: number;
	livemode: boolean;
	payment_intent: string;
	charge: string;
	amount: number;
	currency: string;
	reason: string;
	status: string;
}

export interface BalanceTransaction {
	id: string;
	object: "balance_transaction";
	created: number;
	amount: number;
	fee: number;
	net: number;
	currency: string;
	reporting_category: string;
	type: string;
	source: string | null;
	status: string;
}

export interface Payout {
	id: string;
	object: "payout";
	created: number;
	amount: number;
	currency: string;
	status: "pending" | "in_transit" | "paid" | "failed" | "canceled";
	automatic: boolean;
	arrival_date: number;
	reconciliation_status: "completed" | "in_progress" | "not_applicable";
}

export type Thing = Session | Intent | Charge | Refund | Dispute | BalanceTransaction | Payout;
