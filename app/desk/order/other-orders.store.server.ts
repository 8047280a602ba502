import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import type { Order } from "../../orders/order.ts";

/** SQL of the order page on other orders. */

export type OtherOrder = Pick<Order, "id" | "order_number" | "company_name" | "siren" | "status" | "product_code" | "created_at"> & {
	/** Of the same customer; otherwise of the same company. */
	sameCustomer: boolean;
};

const maxOrders = 8;

/** The latest orders of the same customer or company outside the order's purchase, without those that were never paid. */
export async function listOtherOrders(db: Database, order: Order): Promise<OtherOrder[]> {
	const email = order.customer_email.trim().toLowerCase();
	const columns = sql`id, order_number, company_name, siren, status, product_code, created_at`;
	const { rows } = await sql<OtherOrder>`
		select ${columns}, bool_or("sameCustomer") as "sameCustomer" from (
			(select ${columns}, true as "sameCustomer" from orders
				where lower(customer_email) = ${email} and ${order.erased_at === null} and purchase_id <> ${order.purchase_id} and paid_at is not null
				order by created_at desc limit ${maxOrders})
			union all
			(select ${columns}, false from orders where siren = ${order.siren} and purchase_id <> ${order.purchase_id} and paid_at is not null
				order by created_at desc limit ${maxOrders})
		) found group by ${columns} order by created_at desc limit ${maxOrders}`.execute(db);
	return rows;
}
