import type Stripe from "stripe";
import { isKeyOf } from "../../../server/types/objects.ts";
import type { PaymentProvider, ProviderMovement, ProviderPayout } from "../provider.ts";
import { getId, list } from "./stripe-calls.server.ts";

/**
 * The balance at Stripe: its transactions with their fees, and its payouts. A restricted key needs read access to « Balance transaction
 * sources » and « Payouts ». Sources: docs.stripe.com/api/balance_transactions, /api/payouts, docs.stripe.com/payouts/reconciliation.
 */
export function stripeBalance(stripe: Stripe): Pick<PaymentProvider, "listMovements" | "listPayouts" | "listPaidOut"> {
	return {
		async listMovements(since, until) {
			const listed = await list(async () => {
				const movements: ProviderMovement[] = [];
				const transactions = stripe.balanceTransactions.list({ created: toWindow(since, until), limit: 100, expand: ["data.source"] });
				for await (const transaction of transactions) movements.push(toMovement(transaction));
				return movements;
			});
			return listed.ok ? { ok: true, movements: listed.values } : listed;
		},
		async listPayouts(since, until) {
			const listed = await list(async () => {
				const payouts: ProviderPayout[] = [];
				for await (const payout of stripe.payouts.list({ created: toWindow(since, until), limit: 100 })) payouts.push(toPayout(payout));
				return payouts;
			});
			return listed.ok ? { ok: true, payouts: listed.values } : listed;
		},
		async listPaidOut(payout) {
			const listed = await list(async () => {
				const ids: string[] = [];
				for await (const { id, type } of stripe.balanceTransactions.list({ payout, limit: 100 })) if (type !== "payout") ids.push(id);
				return ids;
			});
			return listed.ok ? { ok: true, movementIds: listed.values } : listed;
		},
	};
}

const toWindow = (since: Date, until: Date) => ({ gte: Math.ceil(since.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) });

/** Stripe's categories for accounting; all others are `other`. Source: docs.stripe.com/reports/reporting-categories. */
const categories = {
	charge: "charge",
	refund: "refund",
	refund_failure: "refund-returned",
	dispute: "dispute",
	dispute_reversal: "dispute-won",
	fee: "fee",
	payout: "payout",
	payout_reversal: "payout-returned",
} as const satisfies Record<string, ProviderMovement["kind"]>;

function toMovement({ id, amount, fee, currency, created, reporting_category, source }: Stripe.BalanceTransaction): ProviderMovement {
	const subject = typeof source === "object" && source !== null ? source : null;
	return {
		id,
		amount,
		fee,
		currency,
		at: new Date(created * 1000),
		kind: isKeyOf(categories, reporting_category) ? categories[reporting_category] : "other",
		// charges, refunds and disputes name their payment
		paymentId: subject !== null && "payment_intent" in subject ? getId(subject.payment_intent) : null,
		sourceId: getId(source),
	};
}

/** Source: docs.stripe.com/api/payouts/object. */
function toPayout(payout: Stripe.Payout): ProviderPayout {
	const { id, amount, currency, status, automatic, reconciliation_status, created, arrival_date } = payout;
	return {
		id,
		amount,
		currency,
		status: status === "paid" ? "paid" : status === "failed" || status === "canceled" ? "failed" : "pending",
		isItemised: automatic && reconciliation_status === "completed",
		createdAt: new Date(created * 1000),
		arrivesAt: new Date(arrival_date * 1000),
	};
}
