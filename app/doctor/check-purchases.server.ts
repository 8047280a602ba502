import { sql } from "kysely";
import { type Check, createResult, formatCount } from "./check.ts";

interface Purchase {
	order_number: string;
	lines: number;
	isComplete: boolean;
	isOfOneCustomer: boolean;
	isPaidTogether: boolean;
	isErasedTogether: boolean;
	isDisputedTogether: boolean;
	isPaidExactly: boolean;
}

const problemLabels: [agrees: keyof Purchase, problem: string][] = [
	["isComplete", "a line is missing"],
	["isOfOneCustomer", "its orders have different customers"],
	["isPaidTogether", "its orders were not paid together"],
	["isErasedTogether", "only some of its orders are erased"],
	["isDisputedTogether", "only some of its orders are disputed"],
	["isPaidExactly", "its payment differs from its prices"],
];

/** Checks of purchases with several orders. */
export const purchaseChecks: Check[] = [
	{
		name: "purchases",
		what: "Purchases of several orders",
		how: "their orders have one customer, were paid together and by what they cost together, and are erased or disputed together",
		todo: "Compare the lines: npm run orders -- show. After a partial restore: npm run orders -- recreate.",
		async examine({ db }) {
			const { rows } = await sql<Purchase>`
				select first.order_number, lines, "isComplete", "isOfOneCustomer", "isPaidTogether", "isErasedTogether", "isDisputedTogether",
					paid = 0 or total = (
						select sum(amount_cents) from payments where payments.order_id = purchases.purchase_id and payments.role = 'order') is true as "isPaidExactly"
				from (
					select purchase_id, count(*)::integer as lines, sum(price_cents) as total, count(paid_at) as paid,
						max(purchase_line) = count(*) as "isComplete",
						count(distinct lower(trim(customer_email))) = 1 as "isOfOneCustomer",
						count(distinct coalesce(paid_at, '-infinity')) = 1 as "isPaidTogether",
						count(distinct coalesce(erased_at, '-infinity')) = 1 as "isErasedTogether",
						count(distinct coalesce(dispute_status, '')) = 1 as "isDisputedTogether"
					from orders where purchase_id in (select purchase_id from orders where purchase_line > 1) group by purchase_id
				) purchases join orders first on first.id = purchases.purchase_id order by first.created_at, first.id`.execute(db);
			const problems = rows.flatMap((purchase) =>
				problemLabels.filter(([agrees]) => !purchase[agrees]).map(([, problem]) => `${purchase.order_number}: ${problem}.`),
			);
			return createResult(formatCount(rows.length, "purchase"), ...problems);
		},
	},
];
