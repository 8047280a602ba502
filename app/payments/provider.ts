import type { Cents } from "../catalogue/money.ts";

/** What the shop asks a provider to collect. No personal data but the e-mail it prefills. */
export interface SessionRequest {
	orderId: string;
	/** Same key, same request, same session: a repeated call never makes a second one. */
	key: string;
	amount: Cents;
	productName: string;
	customerEmail: string;
	/** `{CHECKOUT_SESSION_ID}` in it is replaced by the session's id. */
	successUrl: string;
	cancelUrl: string;
	/** Between 30 minutes and 24 hours ahead. */
	expiresAt: Date;
}

/** A payment session as the provider knows it: the only truth about a payment. */
export interface PaymentSession {
	id: string;
	/** Where it is paid; empty once it is not open any more. */
	url: string;
	/** `expired`: nobody can pay it any more, and nobody did. */
	status: "open" | "complete" | "expired";
	paymentStatus: "paid" | "unpaid";
	/** The payment that it led to. */
	paymentId: string | null;
	/** Cents. */
	amount: number;
	/** ISO 4217, lower case. */
	currency: string;
	/** The order it was made for. */
	orderId: string | null;
	live: boolean;
	expiresAt: Date;
}

/** A captured payment, with what went back. */
export interface Payment {
	id: string;
	orderId: string | null;
	/** Cents captured; 0 while nothing is. */
	amount: number;
	currency: string;
	live: boolean;
	createdAt: Date;
	refunds: ProviderRefund[];
	/** The newest one. */
	dispute: { id: string; status: "open" | "won" | "lost" } | null;
}

export interface ProviderRefund {
	id: string;
	/** Cents. */
	amount: number;
	status: "pending" | "succeeded" | "failed";
	/** The reference that our request gave it; null for one made elsewhere, such as the provider's own pages. */
	reference: string | null;
}

/** One line of the provider's books, for comparing. Amounts in cents. */
export type BookedPayment = Pick<Payment, "id" | "orderId" | "amount" | "currency" | "live" | "createdAt"> & { refunded: number };

/** A signed event: says what to ask about, and is believed in nothing else. */
export interface PaymentEvent {
	id: string;
	type: string;
	subject: { session: string } | { payment: string } | null;
}

/**
 * The provider cannot be asked now: ask again later. `keyUsedUp`: it stores this answer under the request's key and repeats it
 * for a day.
 */
export type Outage = { ok: false; code: "unavailable"; keyUsedUp?: true };
/** The provider refuses: asking again changes nothing. `providerCode` is its own word for why. */
export type Refusal = { ok: false; code: "refused"; providerCode: string };

/** Who collects the money. Expected outcomes are returned; a throw is a bug of ours. */
export interface PaymentProvider {
	name: string;
	/** Whether payments are real. A session of the other kind is set aside. */
	live: boolean;
	/** Where its payment page is, as an origin: a form of ours may lead there. Empty: on our own pages. */
	pageOrigin: string;
	createSession(request: SessionRequest): Promise<{ ok: true; session: PaymentSession } | Outage | Refusal>;
	/** @returns null when there is no such session. */
	findSession(id: string): Promise<{ ok: true; session: PaymentSession | null } | Outage>;
	/** Closes a session if it is still open. @returns what has become of it, which may be that it was paid. */
	expireSession(id: string): Promise<{ ok: true; session: PaymentSession | null } | Outage>;
	/** @returns null when there is no such payment. */
	findPayment(id: string): Promise<{ ok: true; payment: Payment | null } | Outage>;
	/** Gives money back; the same key never does it twice. `reference` comes back in `ProviderRefund`. */
	refund(request: {
		paymentId: string;
		amount: Cents;
		key: string;
		reference: string;
	}): Promise<{ ok: true; refund: ProviderRefund } | Outage | Refusal>;
	/** Every captured payment made in [since, until). */
	listPayments(since: Date, until: Date): Promise<{ ok: true; payments: BookedPayment[] } | Outage>;
	/** @returns null when the signature is absent, wrong or older than five minutes. */
	readEvent(rawBody: string, signature: string | undefined): PaymentEvent | null;
	ready(): Promise<boolean>;
	/** Milliseconds for which an answer of `ready` is used again, because each question costs a request. */
	readyTtlMs?: number;
}
