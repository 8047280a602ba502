import { sql } from "kysely";
import type { Database, Trx } from "../../server/database/database.ts";
import type { Order } from "./order.ts";
import type { OrderNumber } from "./order-number.server.ts";

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

/** What one order, or several, were bought as. */
export interface Purchase {
	/** The number of its first order, which names it. */
	number: OrderNumber;
	/** How many orders it has. */
	lines: number;
}

/** « ligne 3 sur 40 de la commande groupée KB-… »; null for an order that was bought alone. */
export const formatPlace = (purchase: Purchase | undefined, { purchase_line }: { purchase_line: number }): string | null =>
	purchase === undefined || purchase.lines === 1
		? null
		: `ligne ${purchase_line} sur ${purchase.lines} de la commande groupée ${purchase.number}`;
