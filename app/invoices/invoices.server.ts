/** Exports for other concepts. */

export {
	countWithoutPdf,
	deleteGap,
	deleteInvoices,
	findInvoiceOfOrder,
	type IssuedInvoice,
	listInvoiceNumbers,
	listInvoices,
	listInvoicesOfBuyer,
	listSeries,
	listUnexplainedPlaces,
	moveSeries,
	setInvoiceDocument,
} from "./invoices.store.server.ts";
