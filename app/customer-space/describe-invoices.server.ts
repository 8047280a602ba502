import { href } from "react-router";
import type { Context } from "../../server/runtime.ts";
import { formatDay } from "../catalogue/instants.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import { documentToken } from "../documents/document-token.server.ts";
import { summariseInvoice } from "./customer-books.ts";
import { getInvoiceOwner } from "./invoice-owner.server.ts";
import { listInvoiceYears, listOwnInvoices } from "./invoices.store.server.ts";

const invoicesPerPage = 50;

export type DescribedInvoices = Awaited<ReturnType<typeof describeInvoices>>;

/** The invoices of a mailbox in one year, the newest first. @param typedYear another than its years: the newest. @param page from 1. */
export async function describeInvoices(
	context: Pick<Context, "db" | "environment" | "signer" | "now">,
	mailbox: string,
	{ year: typedYear, page }: { year: number | null; page: number },
) {
	const { db, signer, now } = context;
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
				: document_id && href("/documents/:token", { token: documentToken.sign(signer, document_id, now()) });
			return {
				...{ number, kindLabel, description, reference },
				...{ net: format(net), vat: format(vat), total: format(total), day: formatDay(invoice.issued_at) },
				url: document_id && url,
			};
		}),
	};
}
