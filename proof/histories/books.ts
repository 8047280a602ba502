import type { Payment, PaymentSession, ProviderMovement, ProviderRefund } from "../../app/payments/provider.ts";
import { createProvider } from "./provider.ts";

export interface ProviderEvent {
	id: string;
	type: string;
	object: { object: string; id?: string; payment_intent?: string };
	deliveries: number;
}

export interface BookRefund extends ProviderRefund {
	key: string | null;
}

export interface BookPayment extends Omit<Payment, "refunds"> {
	refunds: BookRefund[];
}

export type Ledger = ReturnType<typeof createLedger>;

/** The payment provider in memory: its books, what a history does to them, and the contract that the shop uses. */
export function createBooks({ now, secret }: { now: () => Date; secret: string }) {
	const ledger = createLedger(now);
	const { provider, holdNext, cancelHold, clearKeys } = createProvider(ledger, { now, secret });
	return {
		...ledger,
		...{ provider, holdNext, cancelHold },
		/** Deletes everything: the next history starts with empty books. */
		clear(): void {
			clearKeys();
			for (const map of [ledger.sessions, ledger.payments]) map.clear();
			ledger.events.length = 0;
			ledger.movements.length = 0;
			cancelHold();
			Object.assign(ledger.faults, { outages: 0, lostAnswers: 0, slowRefunds: false });
		},
	};
}

/** The provider's books and the events that it sends. */
function createLedger(now: () => Date) {
	const sessions = new Map<string, PaymentSession>();
	const payments = new Map<string, BookPayment>();
	const events: ProviderEvent[] = [];
	const movements: ProviderMovement[] = [];
	/** How the next requests end. */
	const faults = { outages: 0, lostAnswers: 0, slowRefunds: false };
	let count = 0;
	const createId = (kind: string) => `${kind}_${crypto.randomUUID().replaceAll("-", "")}${++count}`;

	const send = (type: string, object: ProviderEvent["object"]) => void events.push({ id: createId("evt"), type, object, deliveries: 0 });
	const sendSession = (type: string, { id }: PaymentSession) => send(`checkout.session.${type}`, { object: "checkout.session", id });
	const sendRefund = (type: string, payment: BookPayment) => send(type, { object: "refund", payment_intent: payment.id });
	const sendDispute = (type: string, payment: BookPayment) =>
		send(`charge.dispute.${type}`, { object: "dispute", payment_intent: payment.id });

	/** Records what moves the balance; a payment costs a fee of 1 €. */
	function move(kind: ProviderMovement["kind"], paymentId: string, sourceId: string, amount: number): void {
		const fee = kind === "charge" ? 100 : 0;
		movements.push({ id: createId("txn"), kind, amount, fee, currency: "eur", paymentId, sourceId, at: now() });
	}

	function expire(session: PaymentSession): void {
		Object.assign(session, { status: "expired", url: "" });
		sendSession("expired", session);
	}
	function expireOverdue(): void {
		for (const session of sessions.values()) if (session.status === "open" && session.expiresAt <= now()) expire(session);
	}

	/** Accepts a payment, also for a session that has just expired: banks may answer late. */
	function pay(session: PaymentSession, change: Partial<Pick<PaymentSession, "amount" | "currency" | "live">> = {}): void {
		const paymentId = createId("pi");
		Object.assign(session, { status: "complete", paymentStatus: "paid", paymentId, url: "", ...change });
		payments.set(paymentId, {
			...{ id: paymentId, purchaseId: session.purchaseId, amount: session.amount, currency: session.currency, live: session.live },
			...{ createdAt: now(), refunds: [], dispute: null },
		});
		move("charge", paymentId, paymentId, session.amount);
		sendSession("completed", session);
	}

	function giveBack(payment: BookPayment, amount: number, reference: string | null, key: string | null): BookRefund {
		const refund: BookRefund = { id: createId("re"), amount, status: faults.slowRefunds ? "pending" : "succeeded", reference, key };
		payment.refunds.unshift(refund);
		move("refund", payment.id, refund.id, -amount);
		sendRefund("refund.created", payment);
		send("charge.refunded", { object: "charge", payment_intent: payment.id });
		return refund;
	}
	/** The bank accepts a pending refund or sends one back. */
	function endRefund(payment: BookPayment, refund: BookRefund, status: "succeeded" | "failed"): void {
		refund.status = status;
		if (status === "failed") move("refund-returned", payment.id, refund.id, refund.amount);
		sendRefund("refund.updated", payment);
		if (status === "failed") sendRefund("refund.failed", payment);
	}
	function openDispute(payment: BookPayment): void {
		payment.dispute = { id: createId("du"), status: "open" };
		move("dispute", payment.id, payment.dispute.id, -left(payment));
		sendDispute("created", payment);
	}
	function closeDispute(payment: BookPayment, status: "won" | "lost"): void {
		if (payment.dispute) payment.dispute.status = status;
		if (payment.dispute && status === "won") move("dispute-won", payment.id, payment.dispute.id, left(payment));
		sendDispute("closed", payment);
	}

	/** The part of a payment that was not refunded, in cents. */
	const left = ({ amount, refunds }: BookPayment) =>
		amount - refunds.reduce((sum, refund) => sum + (refund.status === "failed" ? 0 : refund.amount), 0);
	const isDisputed = ({ dispute }: BookPayment) => dispute !== null && dispute.status !== "won";

	return {
		...{ sessions, payments, events, movements, faults, createId, left, isDisputed },
		...{ expire, expireOverdue, pay, giveBack, endRefund, openDispute, closeDispute },
	};
}
