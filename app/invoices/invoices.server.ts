/** Exports for other concepts. */

export {
	countWithoutPdf,
	deleteGap,
	deleteInvoices,
	findInvoiceOfDocument,
	findInvoiceOfPurchase,
	type IssuedInvoice,
	isOfOrder,
	listInvoiceNumbers,
	listInvoices,
	listInvoicesOfBuyer,
	listInvoicesOfPurchase,
	listSeries,
	listUnexplainedPlaces,
	moveSeries,
	setInvoiceDocument,
} from "./invoices.store.server.ts";
