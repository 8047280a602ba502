import { randomBytes } from "node:crypto";
import { openBalance } from "./balance.ts";
import type { Charge, Dispute, Intent, Refund, Session, Thing } from "./objects.ts";
import { ApiError } from "./parameters.ts";

/** Stripe's objects about payments, and the rules for changing them. */

/** The checked parameters of a new session. */
export interface NewSession {
	amount: number;
	currency: string;
	product: string;
	intentMetadata: Record<string, string>;
	session: Pick<
		Session,
		"client_reference_id" | "customer_email" | "metadata" | "locale" | "expires_at" | "success_url" | "cancel_url" | "livemode"
	>;
}

export type Books = ReturnType<typeof openBooks>;

/**
 * Opens empty books.
 * @param emit receives each event's type and object.
 */
export function openBooks({ now, pageUrl, emit }: { now: () => Date; pageUrl: string; emit: (type: string, thing: Thing) => void }) {
	const sessions = new Map<string, Session>();
	const intents = new Map<string, Intent>();
	const charges = new Map<string, Charge>();
	const refunds = new Map<string, Refund>();
	const disputes = new Map<string, Dispute>();
	/** The product and the payment's metadata of each session. */
	const orders = new Map<string, Pick<NewSession, "product" | "intentMetadata">>();

	const seconds = () => Math.floor(now().getTime() / 1000);
	const balance = openBalance({ seconds, createId: (prefix) => `${prefix}${token(23)}` });
	const get = <Kind extends Thing>(things: Map<string, Kind>, id: string, what: string, param = what): Kind => {
		const thing = things.get(id);
		if (!thing) throw new ApiError(404, { code: "resource_missing", param, message: `No such ${what}: '${id}'` });
		return thing;
	};
	const getCharge = (paymentId: string): Charge => {
		const intent = get(intents, paymentId, "payment_intent");
		const charge = charges.get(intent.latest_charge ?? "");
		if (!charge) {
			throw new ApiError(400, { message: `This PaymentIntent (${paymentId}) does not have a successful charge to refund.` }, true);
		}
		return charge;
	};
	const refundable = (charge: Charge) => charge.amount - charge.amount_refunded;

	function openSession({ amount, currency, product, intentMetadata, session: parameters }: NewSession): Session {
		const id = `cs_${parameters.livemode ? "live" : "test"}_a1${token(58)}`;
		const session: Session = {
			...parameters,
			id,
			object: "checkout.session",
			created: seconds(),
			status: "open",
			payment_status: "unpaid",
			payment_intent: null,
			amount_total: amount,
			currency,
			mode: "payment",
			ui_mode: "hosted_page",
			url: `${pageUrl}/c/pay/${id}`,
		};
		sessions.set(id, session);
		orders.set(id, { product, intentMetadata });
		return session;
	}

	/** Expires overdue sessions. */
	function expireOverdue(): void {
		for (const session of sessions.values()) if (session.status === "open" && session.expires_at <= seconds()) close(session);
	}

	function close(session: Session): void {
		Object.assign(session, { status: "expired", url: null });
		emit("checkout.session.expired", session);
	}

	function expireSession(id: string): Session {
		expireOverdue();
		const session = get(sessions, id, "checkout.session", "session");
		if (session.status !== "open") {
			const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`;
			throw new ApiError(400, { message }, true);
		}
		close(session);
		return session;
	}

	function capture(intent: Intent): void {
		const { amount, currency, livemode, metadata } = intent;
		const id = `ch_3${token(23)}`;
		const fresh = { amount_refunded: 0, refunded: false, disputed: false, paid: true };
		charges.set(id, {
			...{ id, object: "charge", created: seconds(), livemode, payment_intent: intent.id, amount, currency, metadata },
			...fresh,
		});
		Object.assign(intent, { status: "succeeded", amount_received: amount, latest_charge: id });
		balance.record("charge", { amount, fee: getChargeFee(amount), source: id });
	}

	/**
	 * Pays a session. `delayed`: the bank accepts or refuses later; `silently`: no event is sent.
	 * @returns null when the session is no longer open.
	 */
	function pay(sessionId: string, { delayed = false, silently = false } = {}): Intent | null {
		expireOverdue();
		const session = get(sessions, sessionId, "checkout.session");
		if (session.status !== "open") return null;
		const intent: Intent = {
			id: `pi_3${token(23)}`,
			object: "payment_intent",
			created: seconds(),
			livemode: session.livemode,
			status: "processing",
			amount: session.amount_total,
			amount_received: 0,
			currency: session.currency,
			latest_charge: null,
			metadata: orders.get(sessionId)?.intentMetadata ?? {},
		};
		intents.set(intent.id, intent);
		if (!delayed) capture(intent);
		Object.assign(session, {
			...{ status: "complete", payment_status: delayed ? "unpaid" : "paid", payment_intent: intent.id, url: null },
		});
		if (!silently) emit("checkout.session.completed", session);
		return intent;
	}

	/** The bank accepts or refuses a delayed payment. */
	function endDelay(sessionId: string, outcome: "paid" | "refused" | "canceled"): void {
		const session = get(sessions, sessionId, "checkout.session");
		const intent = get(intents, session.payment_intent ?? "", "payment_intent");
		if (outcome === "paid") {
			capture(intent);
			session.payment_status = "paid";
			emit("checkout.session.async_payment_succeeded", session);
		} else {
			intent.status = outcome === "canceled" ? "canceled" : "requires_payment_method";
			emit("checkout.session.async_payment_failed", session);
		}
	}

	/** @throws ApiError when Stripe would refuse: disputed, already refunded, more than is left. */
	function refund(
		paymentId: string,
		options: { amount?: number; metadata?: Record<string, string>; reason?: string },
		status: Refund["status"] = "succeeded",
	): Refund {
		const charge = getCharge(paymentId);
		const dispute = [...disputes.values()].find((known) => known.payment_intent === paymentId && forbidsRefund(known.status));
		if (dispute) {
			const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
			throw new ApiError(400, { code: "charge_disputed", message }, true);
		}
		if (refundable(charge) === 0) {
			throw new ApiError(400, { code: "charge_already_refunded", message: `Charge ${charge.id} has already been refunded.` }, true);
		}
		const amount = options.amount ?? refundable(charge);
		if (amount > refundable(charge)) {
			const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${refundable(charge)})`;
			throw new ApiError(400, { param: "amount", message }, true);
		}
		const created: Refund = {
			id: `re_3${token(23)}`,
			object: "refund",
			created: seconds(),
			...{ payment_intent: paymentId, charge: charge.id, amount, currency: charge.currency, status },
			...{ reason: options.reason ?? null, metadata: options.metadata ?? {} },
		};
		refunds.set(created.id, created);
		giveBack(charge, amount);
		balance.record("refund", { amount: -amount, source: created.id });
		emit("refund.created", created);
		emit("charge.refunded", charge);
		if (status === "succeeded") emit("refund.updated", created);
		return created;
	}

	function giveBack(charge: Charge, amount: number): void {
		charge.amount_refunded += amount;
		charge.refunded = refundable(charge) === 0;
	}

	/** The customer's bank accepts a refund or sends it back. */
	function endRefund(id: string, status: "succeeded" | "failed"): Refund {
		const refund = get(refunds, id, "refund");
		if (status === "failed") {
			giveBack(getCharge(refund.payment_intent), -refund.amount);
			balance.record("refund_failure", { amount: refund.amount, source: id });
		}
		refund.status = status;
		emit("refund.updated", refund);
		if (status === "failed") emit("refund.failed", refund);
		return refund;
	}

	function openDispute(paymentId: string, status = "needs_response"): Dispute {
		const charge = getCharge(paymentId);
		charge.disputed = true;
		const { livemode, amount, currency } = charge;
		const dispute: Dispute = {
			id: `du_1${token(23)}`,
			object: "dispute",
			created: seconds(),
			...{ livemode, payment_intent: paymentId, charge: charge.id, amount, currency, reason: "fraudulent", status },
		};
		disputes.set(dispute.id, dispute);
		if (forbidsRefund(status)) balance.record("dispute", { type: "adjustment", amount: -amount, fee: disputeFee, source: dispute.id });
		emit("charge.dispute.created", dispute);
		return dispute;
	}

	function closeDispute(paymentId: string, status: string): Dispute {
		const dispute = [...disputes.values()].findLast((known) => known.payment_intent === paymentId);
		if (!dispute) throw new Error(`${paymentId} has no dispute`);
		const { id: source, amount } = dispute;
		if (status === "won" && forbidsRefund(dispute.status)) balance.record("dispute_reversal", { type: "adjustment", amount, source });
		dispute.status = status;
		emit("charge.dispute.updated", dispute);
		emit("charge.dispute.closed", dispute);
		return dispute;
	}

	return {
		...{ sessions, intents, charges, refunds, disputes, balance, get },
		...{ openSession, expireSession, expireOverdue, pay, endDelay, refund, endRefund, openDispute, closeDispute },
		getProduct: (sessionId: string) => orders.get(sessionId)?.product ?? "",
	};
}

/** In cents: 1,5 % + 0,25 € for a European card in France, and 20 € for a dispute. Source: stripe.com/fr/pricing. */
export const getChargeFee = (amount: number) => Math.round(amount * 0.015) + 25;
export const disputeFee = 2000;

/** A dispute withdraws the money, except for an inquiry (`warning_…`) and a won dispute. */
const forbidsRefund = (status: string) => status !== "won" && !status.startsWith("warning_");

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random letters and digits, as in Stripe's ids. */
export function token(length: number): string {
	return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}
