import type { Database, Trx } from "../../server/database/database.ts";
import { listShiftedEntries, listVatEntries, sumBookedVat } from "./entries.store.server.ts";
import type { VatDifference } from "./files/vat-difference.ts";
import { createVatStatement, sumVat, type VatStatement } from "./files/vat-statement.ts";
import type { Month } from "./month.ts";

/** Reads the VAT on receipts of a month from its entries. */
export async function readVat(db: Database | Trx, month: Month): Promise<VatStatement> {
	return createVatStatement(month, await listVatEntries(db, month));
}

/** Reads what lies between the VAT on its account and the declared VAT of a month. */
export async function readVatDifference(db: Database | Trx, month: Month): Promise<VatDifference> {
	const shifted = await listShiftedEntries(db, month);
	const [before, after] = [shifted.filter(({ vat }) => vat?.month !== month), shifted.filter(({ vat }) => vat?.month === month)];
	const declared = sumVat(await listVatEntries(db, month));
	return { month, declared, before, after, ...(await sumBookedVat(db, month)) };
}
