import { afterAll, beforeAll, expect, test } from "vitest";
import { checkHistories } from "../../proof/histories/check-histories.ts";
import type { Command, Perturbations } from "../../proof/histories/history.ts";
import { findBrokenInvariants, readEnd } from "../../proof/histories/invariants.ts";
import { runHistory } from "../../proof/histories/run-history.ts";
import { type HistoryShop, openHistoryShop } from "../../proof/histories/shop.ts";
import { createTestDatabase } from "../../test/database.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

const places: HistoryShop[] = [];
beforeAll(async () => {
	for (let at = 0; at < 4; at++) places.push(await openHistoryShop((await createTestDatabase()).connection));
});
afterAll(async () => {
	for (const place of places) await place.close();
});

test(
	"any order, repetition and loss of events ends in the same state: 50 random histories",
	async () => {
		const { count, failure } = await checkHistories(places, { runs: 50, seed: Date.now() % 2 ** 31 });
		expect(failure).toBeNull();
		expect(count).toBeGreaterThanOrEqual(50);
	},
	scaledTimeout(180_000),
);

const unheard = { lost: [], backwards: false };
const job = (which: number) => ({ what: "job" as const, which, slow: false });
const deliver = (which: number) => ({ what: "deliver" as const, which, slow: false });

// the operator refunded on the provider's own pages, the customer cancelled, and the bank returned the refund
test.each<[string, Command[], Perturbations | null]>([
	["as it happens", ["pay", "refund-rest-elsewhere", "cancel", "bank-returns-refund"], null],
	[
		"all but the payment heard of at the end",
		["pay", "refund-rest-elsewhere", "cancel", "bank-returns-refund"],
		{ between: [[deliver(0)]], ...unheard },
	],
	[
		"the first refund is synced and credited after the cancellation has requested its own",
		["pay", "pay-wrong", "refund-rest-elsewhere", "cancel", "dispute-won", "pay", "bank-returns-refund"],
		{ between: [[deliver(0)], [job(0), job(13)], [], [deliver(1)], [job(2)], [], [job(17)]], ...unheard },
	],
])("a cancelled order's money is refunded in the end, and credited once: %s", async (_what, commands, perturbations) => {
	const [place] = places as [HistoryShop];
	const { orderId, reconciled } = await runHistory(
		place,
		{ services: ["standard"], waived: false, slowRefunds: false, commands },
		perturbations,
	);
	const end = await readEnd(place, orderId, reconciled);
	expect(findBrokenInvariants(end)).toEqual([]);
	expect(end.orders).toMatchObject([{ status: "failed", failure_reason: "cancelled", refunded_cents: 3900 }]);
	expect(end.truth).toMatchObject([{ left: 0 }]);
	expect(end.invoices.map(({ kind, total_cents }) => [kind, total_cents]).sort()).toEqual([
		["credit_note", 3900],
		["invoice", 3900],
	]);
});
