import type { BalanceTransaction, Payout } from "./objects.ts";

/** Stripe's balance: a transaction for everything that moves it, and payouts to the bank. */
export function openBalance({ seconds, createId }: { seconds: () => number; createId: (prefix: string) => string }) {
	const transactions = new Map<string, BalanceTransaction>();
	const payouts = new Map<string, Payout>();
	/** The payout that contains each transaction. */
	const payoutOf = new Map<string, string>();

	function record(
		reporting_category: string,
		{ type = reporting_category, amount, fee = 0, source }: { type?: string; amount: number; fee?: number; source: string | null },
	): BalanceTransaction {
		const transaction: BalanceTransaction = {
			id: createId("txn_3"),
			object: "balance_transaction",
			created: seconds(),
			...{ amount, fee, net: amount - fee, currency: "eur", reporting_category, type, source, status: "available" },
		};
		transactions.set(transaction.id, transaction);
		return transaction;
	}

	/** Pays out all that no payout contains. `automatic: false`: the owner asked for it, so that Stripe does not itemise it. */
	function payOut({
		automatic = true,
		arrivesInDays = 2,
		status = "paid",
	}: Partial<Pick<Payout, "automatic" | "status">> & { arrivesInDays?: number } = {}): Payout {
		const contained = [...transactions.values()].filter(({ id, type }) => !payoutOf.has(id) && !type.startsWith("payout"));
		const payout: Payout = {
			id: createId("po_1"),
			object: "payout",
			created: seconds(),
			amount: contained.reduce((sum, { net }) => sum + net, 0),
			...{ currency: "eur", automatic, status },
			arrival_date: Math.floor((seconds() + arrivesInDays * 86_400) / 86_400) * 86_400,
			reconciliation_status: automatic ? "completed" : "not_applicable",
		};
		payouts.set(payout.id, payout);
		for (const { id } of contained) payoutOf.set(id, payout.id);
		record("payout", { amount: -payout.amount, source: payout.id });
		return payout;
	}

	/** The bank sends a payout back. */
	function failPayout(id: string): void {
		const payout = payouts.get(id);
		if (!payout) throw new Error(`no payout ${id}`);
		payout.status = "failed";
		record("payout_reversal", { type: "payout_failure", amount: payout.amount, source: id });
	}

	return { transactions, payouts, payoutOf, record, payOut, failPayout };
}
