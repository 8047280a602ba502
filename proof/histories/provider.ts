import type { BookedPayment, PaymentProvider, PaymentSession, Refusal } from "../../app/payments/provider.ts";
import { sandboxTexts } from "../../app/payments/sandbox/sandbox-texts.ts";
import { readSignedEvent } from "../../app/payments/stripe/signed-event.server.ts";
import type { Ledger } from "./books.ts";

const refuse = (providerCode: string): Refusal => ({ ok: false, code: "refused", providerCode });
const unavailable = { ok: false, code: "unavailable" } as const;

/** The provider's contract on its books, with answers that can be lost or held. */
export function createProvider(ledger: Ledger, { now, secret }: { now: () => Date; secret: string }) {
	const { sessions, payments, faults, createId, left, isDisputed, expire } = ledger;
	/** Session of each idempotency key. */
	const keys = new Map<string, string>();
	const { answer, holdNext, cancelHold } = createAnswers(ledger);

	const provider: PaymentProvider = {
		texts: sandboxTexts,
		live: false,
		simulated: false,
		pageOrigin: "",
		createSession: (request) =>
			answer(() => {
				const known = keys.get(request.key);
				const session: PaymentSession = (known && sessions.get(known)) || {
					...{ id: createId("cs"), url: "https://provider.example/pay", status: "open", paymentStatus: "unpaid", paymentId: null },
					...{ amount: request.amount, currency: "eur", purchaseId: request.purchaseId, live: false, expiresAt: request.expiresAt },
				};
				sessions.set(session.id, session);
				keys.set(request.key, session.id);
				return { ok: true, session };
			}),
		findSession: (sessionId) => answer(() => ({ ok: true, session: sessions.get(sessionId) ?? null })),
		expireSession: (sessionId) =>
			answer(() => {
				const session = sessions.get(sessionId);
				if (session?.status === "open") expire(session);
				return { ok: true, session: session ?? null };
			}),
		findPayment: (paymentId) => answer(() => ({ ok: true, payment: payments.get(paymentId) ?? null })),
		async refund({ paymentId, amount, key, reference }) {
			const answered = await answer(() => {
				const payment = payments.get(paymentId);
				if (!payment) return refuse("resource_missing");
				const before = payment.refunds.find((refund) => refund.key === key);
				if (before && before.amount !== amount) return refuse("idempotency_error");
				if (before) return { ok: true as const, refund: before };
				if (isDisputed(payment)) return refuse("charge_disputed");
				if (left(payment) === 0) return refuse("charge_already_refunded");
				if (amount > left(payment)) return refuse("amount_too_large");
				return { ok: true as const, refund: ledger.giveBack(payment, amount, reference, key) };
			});
			if (!answered.ok || faults.lostAnswers === 0) return answered;
			faults.lostAnswers--;
			return unavailable;
		},
		listPayments: (since, until) =>
			answer(() => ({
				ok: true,
				payments: [...payments.values()]
					.filter(({ createdAt }) => createdAt >= since && createdAt < until)
					.map((payment): BookedPayment => ({ ...payment, refunded: payment.amount - left(payment) })),
			})),
		listMovements: (since, until) =>
			answer(() => ({ ok: true, movements: ledger.movements.filter(({ at }) => at >= since && at < until) })),
		listPayouts: () => answer(() => ({ ok: true, payouts: [] })),
		listPaidOut: () => answer(() => ({ ok: true, movementIds: [] })),
		readEvent: (rawBody, signature) => readSignedEvent(rawBody, signature, secret, now()),
		ready: async () => ({ ok: true, clockAhead: null }),
	};

	return { provider, holdNext, cancelHold, clearKeys: () => keys.clear() };
}

/** Answers of the provider, which can fail or be held. */
function createAnswers({ faults, expireOverdue }: Ledger) {
	let hold: { reached: () => void; released: Promise<void> } | undefined;

	/** Answers with the state at the time of the request, however late a held answer arrives. */
	async function answer<Answer extends object>(getAnswer: () => Answer): Promise<Answer | typeof unavailable> {
		expireOverdue();
		if (faults.outages > 0) {
			faults.outages--;
			return unavailable;
		}
		const answered = structuredClone(getAnswer());
		const held = hold;
		hold = undefined;
		held?.reached();
		await held?.released;
		return answered;
	}

	return {
		answer,
		/** Holds the answer to the next request until `release`. */
		holdNext(): { reached: Promise<void>; release: () => void } {
			const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
			hold = { reached: reached.resolve, released: released.promise };
			return { reached: reached.promise, release: released.resolve };
		},
		/** Withdraws a hold that no request has reached. */
		cancelHold(): void {
			hold = undefined;
		},
	};
}
