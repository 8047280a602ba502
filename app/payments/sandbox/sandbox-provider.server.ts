import { createHmac } from "node:crypto";
import { day, minute } from "../../../server/durations.ts";
import type { Runtime } from "../../../server/runtime.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type {
	BookedPayment,
	PaymentProvider,
	PaymentSession,
	ProviderMovement,
	ProviderPayout,
	ProviderRefund,
	Refusal,
	SessionRequest,
} from "../provider.ts";
import { readSignedEvent } from "../stripe/signed-event.server.ts";
import {
	expireSandboxSession,
	findSandboxDispute,
	findSandboxPayment,
	findSandboxRefund,
	findSandboxSession,
	insertSandboxRefund,
	insertSandboxSession,
	listSandboxFacts,
	listSandboxPayments,
	listSandboxRefunds,
	lockSandboxPayment,
	type SandboxFact,
	type SandboxRefund,
	type SandboxSession,
} from "./sandbox.store.server.ts";
import { emitEvents, sandboxEventSecret } from "./sandbox-events.server.ts";
import { sandboxTexts } from "./sandbox-texts.ts";

/**
 * The payment provider of a shop without a Stripe key. It has its own tables and payment page, and sends the same signed events and
 * the same refusal codes as Stripe (docs.stripe.com/error-codes).
 */
export function sandboxProvider(runtime: Pick<Runtime, "db" | "jobs" | "signer" | "now"> & { baseUrl: string }): PaymentProvider {
	const { db, signer, baseUrl, now } = runtime;
	const toSession = (row: SandboxSession): PaymentSession => {
		const status = row.status === "open" && row.expires_at <= now() ? "expired" : row.status;
		return {
			id: row.id,
			url: status === "open" ? absoluteUrl(baseUrl, "/bac-a-sable/:sessionId", { sessionId: row.id }) : "",
			status,
			paymentStatus: row.payment_status,
			paymentId: row.payment_status === "paid" ? row.payment_intent : null,
			amount: row.amount_total,
			currency: row.currency,
			purchaseId: row.client_reference_id,
			live: false,
			expiresAt: row.expires_at,
		};
	};
	const findSession = async (id: string) => {
		const row = await findSandboxSession(db, id);
		return { ok: true as const, session: row && toSession(row) };
	};
	return {
		texts: sandboxTexts,
		live: false,
		simulated: true,
		pageOrigin: "",
		async createSession(request) {
			// derived from the key: the same key gives the same session, and nobody can guess the id
			const id = `cs_test_${createHmac("sha256", signer.derive("sandbox sessions")).update(request.key).digest("hex")}`;
			const existing = await findSandboxSession(db, id);
			if (existing === null && !hasAllowedExpiry(request, now())) return refused("invalid_request_error");
			const row = existing ?? (await insertSandboxSession(db, id, request, now()));
			return matchesRequest(row, request) ? { ok: true, session: toSession(row) } : refused("idempotency_error");
		},
		findSession,
		async expireSession(id) {
			await db.transaction().execute(async (trx) => {
				if (await expireSandboxSession(trx, id, now())) await emitEvents(runtime, trx, { session: id }, "checkout.session.expired");
			});
			return findSession(id);
		},
		async findPayment(id) {
			const row = await findSandboxPayment(db, id);
			if (row === null) return { ok: true, payment: null };
			const [refunds, dispute] = await Promise.all([listSandboxRefunds(db, id), findSandboxDispute(db, id)]);
			return {
				ok: true,
				payment: {
					...toBookedPayment(row, id),
					refunds: refunds.map(toRefund),
					dispute: dispute && {
						id: dispute.id,
						status: dispute.status,
						reason: "product_unacceptable",
						// as at Stripe for most cards
						dueAt: new Date(dispute.created_at.getTime() + 7 * day),
					},
				},
			};
		},
		refund(request) {
			return db.transaction().execute(async (trx) => {
				const payment = await lockSandboxPayment(trx, request.paymentId);
				if (payment === null) return refused("resource_missing");
				const existing = await findSandboxRefund(trx, request.key);
				if (existing !== null) {
					const same =
						existing.payment_intent === request.paymentId && existing.amount === request.amount && existing.reference === request.reference;
					return same ? { ok: true, refund: toRefund(existing) } : refused("idempotency_error");
				}
				const dispute = await findSandboxDispute(trx, request.paymentId);
				if (dispute !== null && dispute.status !== "won") return refused("charge_disputed");
				const refunds = (await listSandboxRefunds(trx, request.paymentId)).filter(({ status }) => status !== "failed");
				const left = refunds.reduce((sum, { amount }) => sum - amount, payment.amount_total);
				if (left === 0) return refused("charge_already_refunded");
				if (request.amount > left) return refused("amount_too_large");
				const created = await insertSandboxRefund(trx, request, now());
				await emitEvents(runtime, trx, { payment: request.paymentId }, "refund.created", "charge.refunded", "refund.updated");
				return { ok: true, refund: toRefund(created) };
			});
		},
		async listPayments(since, until) {
			const rows = await listSandboxPayments(db, since, until);
			return { ok: true, payments: rows.map((row) => ({ ...toBookedPayment(row, row.payment_intent ?? row.id), refunded: row.refunded })) };
		},
		...sandboxBalance({ db, now }),
		readEvent: (rawBody, signature) => readSignedEvent(rawBody, signature, sandboxEventSecret(signer), now()),
		ready: async () => ({ ok: true, clockAhead: null }),
	};
}

const refused = (providerCode: string): Refusal => ({ ok: false, code: "refused", providerCode });

/** From 30 minutes to 24 hours ahead. Source: docs.stripe.com/api/checkout/sessions/create, `expires_at`. */
function hasAllowedExpiry({ expiresAt }: SessionRequest, now: Date): boolean {
	const ahead = expiresAt.getTime() - now.getTime();
	return ahead >= 30 * minute && ahead <= day;
}

/** Whether a session was created by a request with the same content. */
const matchesRequest = (row: SandboxSession, request: SessionRequest): boolean =>
	row.client_reference_id === request.purchaseId &&
	row.amount_total === request.amount &&
	row.product_name === request.productName &&
	row.customer_email === request.customerEmail &&
	row.success_url === request.successUrl &&
	row.cancel_url === request.cancelUrl &&
	row.expires_at.getTime() === request.expiresAt.getTime();

const toBookedPayment = (row: SandboxSession, id: string): Omit<BookedPayment, "refunded"> => ({
	id,
	purchaseId: row.client_reference_id,
	amount: row.amount_total,
	currency: row.currency,
	live: false,
	createdAt: row.paid_at ?? row.created_at,
});

const toRefund = ({ id, amount, status, reference }: SandboxRefund): ProviderRefund => ({ id, amount, status, reference });

/** As at Stripe in France for European cards: 1,5 % + 0,25 € for a payment. A dispute costs 20 €. Cents. */
const getFee = ({ kind, amount }: SandboxFact): number =>
	kind === "charge" ? Math.round(amount * 0.015) + 25 : kind === "dispute" ? 2000 : 0;

/**
 * The balance of the sandbox, computed from its payments: each day's movements are paid out at the end of the day, and reach the bank
 * two days later.
 */
function sandboxBalance({ db, now }: Pick<Runtime, "db" | "now">): Pick<PaymentProvider, "listMovements" | "listPayouts" | "listPaidOut"> {
	const readBalance = async () => computeBalance(await listSandboxFacts(db), now());
	const isWithin = (at: Date, since: Date, until: Date) => at >= since && at < until;
	return {
		async listMovements(since, until) {
			return { ok: true, movements: (await readBalance()).movements.filter(({ at }) => isWithin(at, since, until)) };
		},
		async listPayouts(since, until) {
			return { ok: true, payouts: (await readBalance()).payouts.filter(({ createdAt }) => isWithin(createdAt, since, until)) };
		},
		async listPaidOut(payoutId) {
			return { ok: true, movementIds: (await readBalance()).paidOut.get(payoutId) ?? [] };
		},
	};
}

function computeBalance(facts: readonly SandboxFact[], now: Date) {
	const movements: ProviderMovement[] = [];
	const payouts: ProviderPayout[] = [];
	const paidOut = new Map<string, string[]>();
	let waiting: ProviderMovement[] = [];
	const byDay = Map.groupBy(facts, ({ at }) => Math.floor(at.getTime() / day));
	for (const [date, factsOfDay] of byDay) {
		const moved = factsOfDay.map((fact) => toMovement(fact));
		movements.push(...moved);
		waiting.push(...moved);
		const createdAt = new Date((date + 1) * day - 1000);
		const amount = waiting.reduce((sum, movement) => sum + movement.amount - movement.fee, 0);
		// a negative balance waits for the next payments
		if (amount <= 0 || createdAt > now) continue;
		const id = `po_test_${createdAt.toISOString().slice(0, 10).replaceAll("-", "")}`;
		const arrivesAt = new Date((date + 3) * day);
		payouts.push({ id, amount, currency: "eur", status: arrivesAt <= now ? "paid" : "pending", isItemised: true, createdAt, arrivesAt });
		movements.push({
			id: `txn_${id}`,
			kind: "payout",
			amount: -amount,
			fee: 0,
			currency: "eur",
			paymentId: null,
			sourceId: id,
			at: createdAt,
		});
		paidOut.set(
			id,
			waiting.map((movement) => movement.id),
		);
		waiting = [];
	}
	return { movements, payouts, paidOut };
}

function toMovement(fact: SandboxFact): ProviderMovement {
	const { kind, id, paymentId, amount, at } = fact;
	const name = kind === "dispute-won" ? `${id}_won` : id;
	return { id: `txn_${name}`, kind, amount, fee: getFee(fact), currency: "eur", paymentId, sourceId: id, at };
}
