/** What other concepts read and change of invoices and their series. */

export {
	countWithoutPdf,
	deleteGap,
	deleteInvoices,
	type IssuedInvoice,
	listInvoiceNumbers,
	listInvoices,
	listInvoicesOfBuyer,
	listSeries,
	listUnexplainedPlaces,
	moveSeries,
	setInvoiceDocument,
} from "./invoices.store.server.ts";
