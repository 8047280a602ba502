import type { Database } from "../../../../server/database/database.ts";
import { matchesSearch } from "../../space/purchases.store.server.ts";

/** The places of the lines of a purchase that « Mes commandes » would find, too. */
export async function listMatchingLines(db: Database, purchaseId: string, search: string): Promise<number[]> {
	const query = db.selectFrom("orders").select("purchase_line").where("purchase_id", "=", purchaseId).where(matchesSearch(search));
	return (await query.execute()).map(({ purchase_line }) => purchase_line);
}
