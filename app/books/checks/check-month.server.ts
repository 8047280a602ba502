import type { Database, Trx } from "../../../server/database/database.ts";
import { listInvoicesOfMonth } from "../files/files.store.server.ts";
import { getUnexplained } from "../files/vat-difference.ts";
import type { Month } from "../month.ts";
import { readVatDifference } from "../read-vat.server.ts";
import { checkInvoices } from "./check-invoices.store.server.ts";
import { checkMovements } from "./check-movements.store.server.ts";
import { type Finding, isBlocking } from "./finding.ts";

/** Compares the books of a month with everything they come from. @returns what blocks the closing, then the remarks. */
export async function checkMonth(db: Database | Trx, month: Month): Promise<Finding[]> {
	const invoices = await listInvoicesOfMonth(db, month);
	const withoutPdf = invoices
		.filter(({ path }) => path === null)
		.map(({ data }): Finding => ({ code: "without-pdf", subject: data.number, amount: null }));
	const amount = getUnexplained(await readVatDifference(db, month));
	const unexplained: Finding[] = amount === 0 ? [] : [{ code: "vat-not-explained", subject: `TVA ${month}`, amount }];
	const found = [...(await checkInvoices(db, month)), ...unexplained, ...withoutPdf, ...(await checkMovements(db, month))];
	return [...found.filter(isBlocking), ...found.filter((finding) => !isBlocking(finding))];
}
