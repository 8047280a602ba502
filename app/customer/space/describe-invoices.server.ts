import { href } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { formatDay } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { listFingerprints } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { createDocumentPath } from "../../orders/keys.server.ts";
import { summariseInvoice } from "./customer-books.ts";
import { type InvoiceOwner, listInvoiceYears, listOwnInvoices } from "./invoices.store.server.ts";

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

const invoicesPerPage = 50;

export type DescribedInvoices = Awaited<ReturnType<typeof describeInvoices>>;

/** The invoices of a mailbox in one year, the newest first. @param typedYear another than its years: the newest. @param page from 1. */
export async function describeInvoices(
	context: Pick<Context, "db" | "environment" | "signer" | "now">,
	mailbox: string,
	{ year: typedYear, page }: { year: number | null; page: number },
) {
	const { db } = context;
	const owner = await getInvoiceOwner(context, mailbox);
	const years = (await listInvoiceYears(db, owner)).map((each) => each.year);
	const year = years.find((each) => each === typedYear) ?? years[0] ?? null;
	const invoices = year === null ? [] : (await listOwnInvoices(db, owner, year)).reverse();
	const format = (amount: number) => formatEuros(cents(amount));
	return {
		years,
		/** Whether invoices of the year outlive the data of their order. */
		hasOlder: invoices.some(({ is_erased }) => is_erased),
		year,
		page,
		lastPage: Math.max(1, Math.ceil(invoices.length / invoicesPerPage)),
		invoices: invoices.slice((page - 1) * invoicesPerPage, page * invoicesPerPage).map((invoice) => {
			const { number, kindLabel, description, reference, net, vat, total } = summariseInvoice(invoice);
			const { document_id, is_erased } = invoice;
			// the link of a document ends with the data of its order
			const url = is_erased
				? href("/mes-commandes/factures/:file", { file: `${number}.pdf` })
				: document_id && createDocumentPath(context, document_id);
			return {
				number,
				kindLabel,
				description,
				reference,
				net: format(net),
				vat: format(vat),
				total: format(total),
				day: formatDay(invoice.issued_at),
				url: document_id && url,
			};
		}),
	};
}
