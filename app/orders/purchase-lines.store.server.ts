import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import type { Order } from "./order.ts";
import type { OrderNumber } from "./order-number.server.ts";

/** SQL on the lines of purchases of several orders. */

/** One order of a purchase of several. Nothing of its customer but their reference. */
export type PurchaseLine = Pick<
	Order,
	"id" | "order_number" | "purchase_line" | "reference" | "company_name" | "product_code" | "status" | "failure_reason"
>;

/** The lines of a purchase, in their order; none when it has one order only. */
export async function listPurchaseLines(db: Database, purchaseId: string): Promise<PurchaseLine[]> {
	const query = db
		.selectFrom("orders")
		.select(["id", "order_number", "purchase_line", "reference", "company_name", "product_code", "status", "failure_reason"])
		.where("purchase_id", "=", purchaseId)
		.orderBy("purchase_line");
	const lines = await query.execute();
	return lines.length > 1 ? lines : [];
}

/** A purchase of several orders. */
export interface Purchase {
	/** The number of its first order, which names it. */
	number: OrderNumber;
	lines: number;
}

/** Which of these purchases have several orders, by the id of the purchase. */
export async function findPurchasesOfSeveral(db: Database, purchaseIds: readonly string[]): Promise<ReadonlyMap<string, Purchase>> {
	if (purchaseIds.length === 0) return new Map();
	const { rows } = await sql<Purchase & { id: string }>`
		select first.id, first.order_number as number, purchases.lines from (
			select purchase_id, count(*)::integer as lines from orders
			where purchase_id = any(${[...new Set(purchaseIds)]}::uuid[]) group by purchase_id having count(*) > 1
		) purchases join orders first on first.id = purchases.purchase_id`.execute(db);
	return new Map(rows.map(({ id, ...purchase }) => [id, purchase]));
}
