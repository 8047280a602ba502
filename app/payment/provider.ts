import type { Cents } from "../catalogue/money.ts";

/** What the shop asks a provider to collect. No personal data but the e-mail it prefills. */
export interface SessionRequest {
	orderId: string;
	/** Same key, same session: a repeated call never makes a second one. */
	key: string;
	amount: Cents;
	productName: string;
	customerEmail: string;
	/** `{CHECKOUT_SESSION_ID}` in it is replaced by the session's id. */
	successUrl: string;
	cancelUrl: string;
	expiresAt: Date;
}

/** A payment session as the provider knows it: the only truth about a payment. */
export interface PaymentSession {
	id: string;
	url: string;
	status: "open" | "complete" | "expired";
	paymentStatus: "paid" | "unpaid";
	amount: number;
	/** ISO 4217, lower case. */
	currency: string;
	/** The order it was made for. */
	orderId: string | null;
	live: boolean;
	expiresAt: Date;
}

/** A signed event: says which session to ask about, and is believed in nothing else. */
export interface PaymentEvent {
	id: string;
	type: string;
	sessionId: string | null;
}

export type Outage = { ok: false; reason: "unavailable" };

export interface PaymentProvider {
	name: string;
	/** Whether payments are real. A session of the other kind is set aside. */
	live: boolean;
	/** Where its payment page is: the address a form may lead to. */
	createSession(request: SessionRequest): Promise<{ ok: true; session: PaymentSession } | Outage>;
	/** @returns null when there is no such session. */
	findSession(id: string): Promise<{ ok: true; session: PaymentSession | null } | Outage>;
	/** @returns null when the signature is absent, wrong or older than five minutes. */
	readEvent(rawBody: string, signature: string | undefined): PaymentEvent | null;
	ready(): Promise<boolean>;
}
