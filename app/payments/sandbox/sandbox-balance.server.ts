import { day } from "../../../server/durations.ts";
import type { Runtime } from "../../../server/runtime.ts";
import type { PaymentProvider, ProviderMovement, ProviderPayout } from "../provider.ts";
import { listSandboxFacts, type SandboxFact } from "./sandbox.store.server.ts";

/** As at Stripe in France for European cards: 1,5 % + 0,25 € for a payment. A dispute costs 20 €. Cents. */
const getFee = ({ kind, amount }: SandboxFact): number =>
	kind === "charge" ? Math.round(amount * 0.015) + 25 : kind === "dispute" ? 2000 : 0;

/**
 * The balance of the sandbox, computed from its payments: each day's movements are paid out at the end of the day, and reach the bank
 * two days later.
 */
export function sandboxBalance({
	db,
	now,
}: Pick<Runtime, "db" | "now">): Pick<PaymentProvider, "listMovements" | "listPayouts" | "listPaidOut"> {
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
