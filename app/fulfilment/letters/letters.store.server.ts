import { sql } from "kysely";
import { changeNotification, deskSubject } from "../../../server/database/changes.ts";
import { anyOf, type Database } from "../../../server/database/database.ts";
import { getLetterAddress } from "../../orders/letter-address.ts";
import type { Letter } from "./letter.ts";

/** SQL on letters to print. */

/** The letters of these orders, in this order. */
export async function listLetters(db: Database, orderIds: readonly string[]): Promise<Letter[]> {
	const rows = await db
		.selectFrom("orders")
		.innerJoin("extract_requests", "extract_requests.order_id", "orders.id")
		.selectAll("orders")
		.select(["extract_requests.storage_path"])
		.where("orders.id", "=", anyOf(orderIds))
		.where("orders.product_code", "=", "postal")
		.where("orders.erased_at", "is", null)
		.where("extract_requests.uploaded_at", "is not", null)
		.orderBy(sql`array_position(${orderIds}::uuid[], orders.id)`)
		.execute();
	return rows.map((row) => ({
		orderId: row.id,
		orderNumber: row.order_number,
		companyName: row.company_name,
		siren: row.siren,
		orderedAt: row.created_at,
		address: getLetterAddress(row),
		extractPath: row.storage_path,
	}));
}

/** Records that letters were printed, and notifies the desk. Another extract makes them unprinted again. */
export async function updatePrinted(db: Database, orderIds: readonly string[], now: Date): Promise<number> {
	const rows = await db
		.updateTable("extract_requests")
		.set({ printed_at: now })
		.where("order_id", "=", anyOf(orderIds))
		.where("uploaded_at", "is not", null)
		.where("printed_at", "is", null)
		.returning(["order_id", changeNotification(deskSubject)])
		.execute();
	return rows.length;
}
