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
	listInvoicesOfPurchase,
	listSeries,
	listUnexplainedPlaces,
	moveSeries,
	setInvoiceDocument,
} from "./invoices.store.server.ts";
export {
	clearMailbox,
	countMailboxKeys,
	listFingerprints,
	listInvoicesOfMailbox,
	recordMailboxes,
	renewMailboxKeys,
} from "./mailbox-fingerprints.server.ts";
