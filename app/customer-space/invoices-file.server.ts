import type { Context } from "../../server/runtime.ts";
import { writePurchaseEntries, writePurchaseList } from "./purchase-books.ts";
import { listOwnInvoices } from "./purchases.store.server.ts";

/** @param name such as « achats-2026.csv » or « achats-2026-fec.txt ». @returns null for another name. */
export async function createInvoicesFile(
	{ db }: Pick<Context, "db">,
	mailbox: string,
	name: string,
): Promise<{ bytes: Uint8Array; contentType: string } | null> {
	const [, year, kind] = /^achats-(20\d\d)(\.csv|-fec\.txt)$/.exec(name) ?? [];
	if (year === undefined) return null;
	const invoices = await listOwnInvoices(db, mailbox, Number(year));
	return kind === ".csv"
		? { bytes: writePurchaseList(invoices), contentType: "text/csv; charset=utf-8; header=present" }
		: { bytes: writePurchaseEntries(invoices), contentType: "text/plain; charset=iso-8859-15" };
}
