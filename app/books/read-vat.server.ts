import type { Database, Trx } from "../../server/database/database.ts";
import { listVatEntries } from "./entries.store.server.ts";
import { createVatStatement, type VatStatement } from "./files/vat-statement.ts";
import type { Month } from "./month.ts";

/** Reads the VAT on receipts of a month from its entries. */
export async function readVat(db: Database | Trx, month: Month): Promise<VatStatement> {
	return createVatStatement(month, await listVatEntries(db, month));
}
