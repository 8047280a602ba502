import type { PaymentTexts } from "../catalogue/means-of-payment.ts";
import type { Cents } from "../catalogue/money.ts";

/** A session that the shop asks for. The prefilled e-mail is its only personal data. */
export interface SessionRequest {
	purchaseId: string;
	/** Idempotency key: a repeated call with the same key returns the same session. */
	key: string;
	amount: Cents;
	productName: string;
	customerEmail: string;
	/** `{CHECKOUT_SESSION_ID}` in it is replaced by the session's id. */
	successUrl: string;
	cancelUrl: string;
	/** Between 30 minutes and 24 hours ahead of the provider’s clock. */
	expiresAt: Date;
}

/** A payment session as the provider reports it: the only source of truth about a payment. */
export interface PaymentSession {
	id: string;
	/** The payment page; empty once the session is not open. */
	url: string;
	/** `expired`: it was not paid, and can no longer be. */
	status: "open" | "complete" | "expired";
	paymentStatus: "paid" | "unpaid";
	/** The payment, once there is one. */
	paymentId: string | null;
	/** Cents. */
	amount: number;
	/** ISO 4217, lower case. */
	currency: string;
	/** The purchase that it pays. */
	purchaseId: string | null;
	live: boolean;
	expiresAt: Date;
}

/** A captured payment with its refunds. */
export interface Payment {
	id: string;
	purchaseId: string | null;
	/** Cents captured; 0 before the capture. */
	amount: number;
	currency: string;
	live: boolean;
	createdAt: Date;
	refunds: ProviderRefund[];
	/** The newest one. */
	dispute: {
		id: string;
		status: "open" | "won" | "lost";
		/** The provider's code, such as « fraudulent ». */
		reason?: string | null;
		/** Until when the shop may answer. */
		dueAt?: Date | null;
	} | null;
}

export interface ProviderRefund {
	id: string;
	/** Cents. */
	amount: number;
	status: "pending" | "succeeded" | "failed";
	/** The reference of our request; null for a refund made on the provider's own pages. */
	reference: string | null;
}

/** A payment as the provider lists it for reconciliation. Amounts in cents. */
export type BookedPayment = Pick<Payment, "id" | "purchaseId" | "amount" | "currency" | "live" | "createdAt"> & { refunded: number };

/**
 * What moved the shop's balance at the provider. `charge`: a payment; `refund-returned`: the bank sent a refund back; `dispute`: the bank
 * took a payment back; `dispute-won`: it gave it back; `other`: anything else, such as a correction by the provider.
 */
export type MovementKind =
	| "charge"
	| "refund"
	| "refund-returned"
	| "dispute"
	| "dispute-won"
	| "fee"
	| "payout"
	| "payout-returned"
	| "other";

/** A movement of the balance. Cents, positive when the balance rises. */
export interface ProviderMovement {
	id: string;
	kind: MovementKind;
	/** Before the fee. */
	amount: number;
	/** What the provider keeps of it: the balance changes by amount − fee. */
	fee: number;
	currency: string;
	/** The payment that it concerns. */
	paymentId: string | null;
	/** The charge, refund, dispute or payout that caused it. */
	sourceId: string | null;
	at: Date;
}

/** Money that the provider sends to the shop's bank. */
export interface ProviderPayout {
	id: string;
	/** Cents. */
	amount: number;
	currency: string;
	/** `failed`: it came back, or was canceled. A paid one may still fail. */
	status: "pending" | "paid" | "failed";
	/** The provider knows now which movements it contains. It never does for a payout that the owner asked for. */
	isItemised: boolean;
	createdAt: Date;
	/** The day of the bank's line. */
	arrivesAt: Date;
}

/** A signed event that may change a session or a payment. It only says which to ask the provider about; nothing else in it is trusted. */
export interface PaymentEvent {
	id: string;
	/** The provider's name for it, recorded as it is. */
	type: string;
	subject: { session: string } | { payment: string };
}

/**
 * The provider does not answer now: try again later. `keyUsedUp`: it repeats this failure for the same key for a day, so the next try
 * needs another key.
 */
export type Outage = { ok: false; code: "unavailable"; keyUsedUp?: true };
/** The provider refuses; a retry changes nothing. `providerCode` is its reason, `parameter` what it concerns. */
export type Refusal = { ok: false; code: "refused"; providerCode: string; parameter?: string };

/** The payment provider. Expected outcomes are returned; a throw is a bug of ours. */
export interface PaymentProvider {
	texts: PaymentTexts;
	/** Whether payments are real. A payment of the other mode is mismatched. */
	live: boolean;
	/** Whether the shop plays the provider itself: its own page takes test cards. */
	simulated: boolean;
	/** The origin of its payment page, for the form-action policy. Empty when the page is ours. */
	pageOrigin: string;
	/** `email-refused`: the provider does not take the customer's address. */
	createSession(
		request: SessionRequest,
	): Promise<{ ok: true; session: PaymentSession } | Outage | Refusal | { ok: false; code: "email-refused" }>;
	/** @returns null when there is no such session. */
	findSession(id: string): Promise<{ ok: true; session: PaymentSession | null } | Outage>;
	/** Expires a session if it is still open. @returns its state then; it may have been paid. */
	expireSession(id: string): Promise<{ ok: true; session: PaymentSession | null } | Outage>;
	/** @returns null when there is no such payment. */
	findPayment(id: string): Promise<{ ok: true; payment: Payment | null } | Outage>;
	/** Refunds a payment, once per key. `reference` comes back in `ProviderRefund`. */
	refund(request: {
		paymentId: string;
		amount: Cents;
		key: string;
		reference: string;
	}): Promise<{ ok: true; refund: ProviderRefund } | Outage | Refusal>;
	/** All captured payments created in [since, until). */
	listPayments(since: Date, until: Date): Promise<{ ok: true; payments: BookedPayment[] } | Outage>;
	/** All movements of the balance in [since, until). */
	listMovements(since: Date, until: Date): Promise<{ ok: true; movements: ProviderMovement[] } | Outage>;
	/** All payouts created in [since, until). */
	listPayouts(since: Date, until: Date): Promise<{ ok: true; payouts: ProviderPayout[] } | Outage>;
	/** The ids of the movements that an itemised payout contains, without its own. */
	listPaidOut(payoutId: string): Promise<{ ok: true; movementIds: string[] } | Outage>;
	/**
	 * Reads what the webhook received. `event` is null when it changes neither a session nor a payment.
	 * @returns not `ok` when the signature is absent, wrong or older than five minutes, and for what is no event.
	 */
	readEvent(rawBody: string, signature: string | undefined): { ok: true; event: PaymentEvent | null } | { ok: false; code: "unsigned" };
	/** `clockAhead`: milliseconds by which this machine's clock is ahead of the provider's; negative when it is behind, null: unknown. */
	ready(): Promise<{ ok: true; clockAhead: number | null } | Outage>;
	/** Milliseconds for which an answer of `ready` is cached; each call costs a request. */
	readyTtlMs?: number;
}
