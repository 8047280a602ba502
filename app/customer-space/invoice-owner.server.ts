import type { Context } from "../../server/runtime.ts";
import { listFingerprints } from "../invoices/invoices.server.ts";
import { type InvoiceOwner, listInvoiceYears } from "./invoices.store.server.ts";

/** What finds all invoices of a mailbox. */
export const getInvoiceOwner = async (context: Pick<Context, "db" | "environment">, mailbox: string): Promise<InvoiceOwner> => ({
	mailbox,
	fingerprints: await listFingerprints(context, mailbox),
});

/** The years of the invoices that outlive their orders in the space of a mailbox, the newest first. */
export async function listOlderInvoiceYears(context: Pick<Context, "db" | "environment">, mailbox: string): Promise<number[]> {
	const years = await listInvoiceYears(context.db, await getInvoiceOwner(context, mailbox));
	return years.filter(({ erased }) => erased).map(({ year }) => year);
}
