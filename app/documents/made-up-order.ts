import { randomUUID } from "node:crypto";
import type { Database } from "../../server/database.ts";

/** For tests: inserts a paid order that documents and invoices can name. @returns its id. */
export async function insertMadeUpOrder(db: Database): Promise<string> {
	const id = randomUUID();
	await db
		.insertInto("orders")
		.values({
			...{ id, order_number: id, status: "completed", product_code: "express", price_cents: 5900 },
			...{ siren: "552032534", company_name: "DANONE", request_hash: "" },
			...{ customer_email: "ada@example.fr", first_name: "Ada", last_name: "Lovelace" },
			...{ created_at: new Date("2026-11-20T09:00:00Z"), paid_at: new Date("2026-11-20T09:05:00Z") },
		})
		.execute();
	return id;
}
