import { sql } from "kysely";
import type { Database, Trx } from "../../server/database/database.ts";
import type { Order } from "./order.ts";
import type { Purchase } from "./purchase.ts";

/** Finds these purchases, by their ids. */
export async function findPurchases(db: Database | Trx, purchaseIds: readonly string[]): Promise<ReadonlyMap<string, Purchase>> {
	if (purchaseIds.length === 0) return new Map();
	const { rows } = await sql<Purchase & { id: string }>`
		select first.id, first.order_number as number, purchases.lines from (
			select purchase_id, count(*)::integer as lines from orders
			where purchase_id = any(${[...new Set(purchaseIds)]}::uuid[]) group by purchase_id
		) purchases join orders first on first.id = purchases.purchase_id`.execute(db);
	return new Map(rows.map(({ id, ...purchase }) => [id, purchase]));
}

/** Whether an order was bought together with others. */
export async function isBoughtWithOthers(db: Database | Trx, { purchase_id }: Pick<Order, "purchase_id">): Promise<boolean> {
	return ((await findPurchases(db, [purchase_id])).get(purchase_id)?.lines ?? 0) > 1;
}
