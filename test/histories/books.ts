import type { BookedPayment, Payment, PaymentProvider, PaymentSession, ProviderRefund, Refusal } from "../../app/payments/provider.ts";
import { readSignedEvent } from "../../app/payments/signed-event.server.ts";

/** A provider's own books, in memory: its rules for money, the events it tells, and what a history does to it. */

export interface ToldEvent {
	id: string;
	type: string;
	object: { object: string; id?: string; payment_intent?: string };
	deliveries: number;
}

interface KeptRefund extends ProviderRefund {
	key: string | null;
}

interface KeptPayment extends Omit<Payment, "refunds"> {
	refunds: KeptRefund[];
}

const refused = (code: string): Refusal => ({ ok: false, reason: "refused", code });
const unavailable = { ok: false, reason: "unavailable" } as const;

export function openBooks({ now, secret }: { now: () => Date; secret: string }) {
	const sessions = new Map<string, PaymentSession>();
	const payments = new Map<string, KeptPayment>();
	const keys = new Map<string, string>();
	const events: ToldEvent[] = [];
	let made = 0;
	/** Orders how the next questions end. */
	const faults = { outages: 0, lostAnswers: 0, slowRefunds: false };
	let hold: { reached: () => void; released: Promise<void> } | undefined;

	const id = (kind: string) => `${kind}_${crypto.randomUUID().replaceAll("-", "")}${++made}`;

	function tell(type: string, object: ToldEvent["object"]): void {
		events.push({ id: id("evt"), type, object, deliveries: 0 });
	}
	const tellSession = (type: string, { id }: PaymentSession) => tell(`checkout.session.${type}`, { object: "checkout.session", id });
	const tellRefund = (type: string, payment: KeptPayment) => tell(type, { object: "refund", payment_intent: payment.id });
	const tellDispute = (type: string, payment: KeptPayment) =>
		tell(`charge.dispute.${type}`, { object: "dispute", payment_intent: payment.id });

	function expireOverdue(): void {
		for (const session of sessions.values()) if (session.status === "open" && session.expiresAt <= now()) expire(session);
	}

	function expire(session: PaymentSession): void {
		Object.assign(session, { status: "expired", url: "" });
		tellSession("expired", session);
	}

	/** Takes a payment, also of a session that just ran out: the bank was slower than the clock. */
	function pay(session: PaymentSession, change: Partial<Pick<PaymentSession, "amount" | "currency" | "live">> = {}): void {
		const paymentId = id("pi");
		Object.assign(session, { status: "complete", paymentStatus: "paid", paymentId, url: "", ...change });
		payments.set(paymentId, {
			...{ id: paymentId, orderId: session.orderId, amount: session.amount, currency: session.currency, live: session.live },
			...{ createdAt: now(), refunds: [], dispute: null },
		});
		tellSession("completed", session);
	}

	const left = ({ amount, refunds }: KeptPayment) =>
		amount - refunds.reduce((sum, refund) => sum + (refund.status === "failed" ? 0 : refund.amount), 0);
	const isDisputed = ({ dispute }: KeptPayment) => dispute !== null && dispute.status !== "won";

	function giveBack(payment: KeptPayment, amount: number, reference: string | null, key: string | null): KeptRefund {
		const refund: KeptRefund = { id: id("re"), amount, status: faults.slowRefunds ? "pending" : "succeeded", reference, key };
		payment.refunds.unshift(refund);
		tellRefund("refund.created", payment);
		tell("charge.refunded", { object: "charge", payment_intent: payment.id });
		return refund;
	}

	/** The bank takes a pending refund, or sends one back. */
	function endRefund(payment: KeptPayment, refund: KeptRefund, status: "succeeded" | "failed"): void {
		refund.status = status;
		tellRefund("refund.updated", payment);
		if (status === "failed") tellRefund("refund.failed", payment);
	}

	/** What is known when asked; a held answer is that of then, however late it comes. */
	async function ask<Answer extends object>(answer: () => Answer): Promise<Answer | typeof unavailable> {
		expireOverdue();
		if (faults.outages > 0) {
			faults.outages--;
			return unavailable;
		}
		const said = structuredClone(answer());
		const held = hold;
		hold = undefined;
		held?.reached();
		await held?.released;
		return said;
	}

	const provider: PaymentProvider = {
		name: "books",
		live: false,
		pageOrigin: "",
		createSession: (request) =>
			ask(() => {
				const known = keys.get(request.key);
				const session: PaymentSession = (known && sessions.get(known)) || {
					...{ id: id("cs"), url: "https://provider.example/pay", status: "open", paymentStatus: "unpaid", paymentId: null },
					...{ amount: request.amount, currency: "eur", orderId: request.orderId, live: false, expiresAt: request.expiresAt },
				};
				sessions.set(session.id, session);
				keys.set(request.key, session.id);
				return { ok: true, session };
			}),
		findSession: (sessionId) => ask(() => ({ ok: true, session: sessions.get(sessionId) ?? null })),
		expireSession: (sessionId) =>
			ask(() => {
				const session = sessions.get(sessionId);
				if (session?.status === "open") expire(session);
				return { ok: true, session: session ?? null };
			}),
		findPayment: (paymentId) => ask(() => ({ ok: true, payment: payments.get(paymentId) ?? null })),
		async refund({ paymentId, amount, key, reference }) {
			const answered = await ask(() => {
				const payment = payments.get(paymentId);
				if (!payment) return refused("resource_missing");
				const before = payment.refunds.find((refund) => refund.key === key);
				if (before && before.amount !== amount) return refused("idempotency_error");
				if (before) return { ok: true as const, refund: before };
				if (isDisputed(payment)) return refused("charge_disputed");
				if (left(payment) === 0) return refused("charge_already_refunded");
				if (amount > left(payment)) return refused("amount_too_large");
				return { ok: true as const, refund: giveBack(payment, amount, reference, key) };
			});
			if (!answered.ok || faults.lostAnswers === 0) return answered;
			faults.lostAnswers--;
			return unavailable;
		},
		listPayments: (since, until) =>
			ask(() => ({
				ok: true,
				payments: [...payments.values()]
					.filter(({ createdAt }) => createdAt >= since && createdAt < until)
					.map((payment): BookedPayment => ({ ...payment, refunded: payment.amount - left(payment) })),
			})),
		readEvent: (rawBody, signature) => readSignedEvent(rawBody, signature, secret, now()),
		ready: async () => true,
	};

	return {
		...{ provider, sessions, payments, events, faults, expire, pay, left, isDisputed, giveBack, endRefund, expireOverdue },
		openDispute(payment: KeptPayment): void {
			payment.dispute = { id: id("du"), status: "open" };
			tellDispute("created", payment);
		},
		closeDispute(payment: KeptPayment, status: "won" | "lost"): void {
			if (payment.dispute) payment.dispute.status = status;
			tellDispute("closed", payment);
		},
		/** The answer to the next question is on its way until it is released. */
		holdNext(): { reached: Promise<void>; release: () => void } {
			const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
			hold = { reached: reached.resolve, released: released.promise };
			return { reached: reached.promise, release: released.resolve };
		},
		/** Nothing is held that was not asked for. */
		holdNoMore(): void {
			hold = undefined;
		},
		/** Forgets everything: the next history has a provider of its own. */
		clear(): void {
			for (const kept of [sessions, payments, keys]) kept.clear();
			events.length = 0;
			hold = undefined;
			Object.assign(faults, { outages: 0, lostAnswers: 0, slowRefunds: false });
		},
	};
}
