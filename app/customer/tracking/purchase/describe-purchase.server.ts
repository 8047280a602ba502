import { href } from "react-router";
import { inSnapshot } from "../../../../server/database/database.ts";
import { listRequests } from "../../../fulfilment/extract-requests.store.server.ts";
import { checkCorrectableInvoice } from "../../../fulfilment/invoice-correction/correct-invoice.server.ts";
import { type AccessKey, mayAsk } from "../../../orders/access.ts";
import { describeRequests } from "../../../orders/describe-request.ts";
import { listExtracts, type StoredDocument } from "../../../orders/documents/documents.store.server.ts";
import { type IssuedInvoice, listInvoicesOfPurchase } from "../../../orders/invoices/invoices.store.server.ts";
import { createDocumentPath, signKey } from "../../../orders/keys.server.ts";
import { getProgress, isCancelled, mayChange } from "../../../orders/lifecycle.ts";
import { isDownloadable, type Order, sumPrices } from "../../../orders/order.ts";
import { listEvents, listOrdersOfPurchase, listPostings } from "../../../orders/orders.store.server.ts";
import { listOpenRefunds, type Refund } from "../../../orders/refunds/refunds.store.server.ts";
import type { Shop } from "../../../shop.ts";
import { describeCorrected } from "../addresses/address-sentences.ts";
import { isLetterAwaited } from "../addresses/correct-letter.server.ts";
import { describeAddresses, listAddresses } from "../addresses/describe-addresses.server.ts";
import { mayAskForRefund } from "../ask-for-refund.server.ts";
import { isOpenToCancel } from "../cancel-order.server.ts";
import { describeRefunds, isRefundedInFull } from "../describe-order.server.ts";
import { announceLetter, describeLetter, readNextOpening } from "../order/describe-tracked-order.server.ts";

export type DescribedPurchase = NonNullable<Awaited<ReturnType<typeof describePurchase>>>;
export type PurchaseLine = DescribedPurchase["lines"][number];

/**
 * A purchase of several orders as its page shows it; null when it has one order. It reads all lines in one query, and their extracts in
 * another.
 * @param request that of the page, which may follow a correction. @param order its first order, as findOrderToShow found it.
 * @param payable whether the page offers to pay it.
 */
export async function describePurchase(
	shop: Shop,
	request: Request,
	{ order: found, payable }: { order: Order; payable: boolean },
	access: AccessKey,
) {
	const purchaseId = found.purchase_id;
	// at one instant: what is done between two reads would be neither awaited nor there
	const { orders, extracts, postings, requests, allInvoices, correctable, refunds, events } = await inSnapshot(shop.db, async (trx) => {
		const orders = await listOrdersOfPurchase(trx, purchaseId);
		const ids = orders.map(({ id }) => id);
		const allInvoices = mayAsk(access, "read-invoice") ? await listInvoicesOfPurchase(trx, purchaseId) : [];
		return {
			orders,
			extracts: new Map((await listExtracts(trx, ids)).map((document) => [document.order_id, document])),
			postings: await listPostings(
				trx,
				orders.flatMap(({ id, tracking_number }) => (tracking_number === null ? [] : id)),
			),
			requests: await listRequests(trx, ids),
			allInvoices,
			correctable: await checkCorrectableInvoice(trx, { orders, invoices: allInvoices, now: shop.now() }),
			refunds: await listOpenRefunds(trx, ids),
			events: await listEvents(trx, purchaseId),
		};
	});
	const [first, ...others] = orders;
	if (first === undefined || others.length === 0) return null;
	const disputed = orders.some(({ disputed_at }) => disputed_at !== null);
	// the rule is cancelLocked's; who was refunded for the delay has nothing to gain by it
	const isCancellable = (order: Order) =>
		order.paid_at !== null && isOpenToCancel(order, extracts.has(order.id)) && !isRefundedInFull(order);
	const lines = orders.map((order) =>
		describeLine(shop, order, {
			...{ extract: extracts.get(order.id), postedAt: postings.get(order.id), cancellable: isCancellable(order), access, refunds },
		}),
	);
	const isPrinted = ({ id }: Order) => requests.some(({ order_id, printed_at }) => order_id === id && printed_at !== null);
	const letter = mayAsk(access, "correct-addresses") ? orders.find((order) => isLetterAwaited(order) && !isPrinted(order)) : undefined;
	const documents = lines.filter(({ documentUrl }) => documentUrl !== null).length;
	const sentTo = listAddresses([first, ...others], access);
	const ofWhole = allInvoices.filter(({ refund_id }) => refund_id === null);
	const isReplaced = ({ id }: IssuedInvoice) => ofWhole.some(({ replaces }) => replaces === id);
	const invoice = ofWhole.find((each) => each.kind === "invoice" && !isReplaced(each));
	const filesToken = signKey(shop, "files", first, { access });
	return {
		number: first.order_number,
		access,
		status: first.status,
		paid: first.paid_at !== null,
		paidAt: first.paid_at?.toISOString() ?? null,
		payable: payable && mayAsk(access, "resume"),
		disputed,
		cancelled: lines.every(({ cancelled }) => cancelled),
		/** The amounts of a payment are its customer's. */
		total: mayAsk(access, "read-money") ? sumPrices(orders) : null,
		refunded: lines.reduce((sum, { refunded }) => sum + refunded, 0),
		lines,
		sentTo,
		addresses: describeAddresses(first, { access, orders, extracts: [...extracts.values()], events }),
		/** The line whose page corrects the address of all letters that are not printed yet; null when there is none. */
		letterLine: letter?.purchase_line ?? null,
		/** What the notice of a correction says; null without one. */
		corrected: mayAsk(access, "correct-addresses")
			? describeCorrected(request, { events, sentTo, letter: null, several: true, now: shop.now() })
			: null,
		/** Says whether the registry was asked for the extracts that are awaited; null when none is. */
		request: describeRequests(orders, new Set(extracts.keys()), await readNextOpening(shop)),
		/** What the customer may still ask of one of the lines; others read it too, to confirm the address for it. */
		offers: { cancel: orders.some(isCancellable), refund: orders.some((order) => mayAskForRefund(order, shop.now())) },
		/** How many extracts can be downloaded now. */
		documents,
		filesUrl: documents > 0 ? href("/documents/ensemble/:token", { token: filesToken }) : null,
		/** The archive has the invoice that is in force. */
		hasInvoice: Boolean(invoice?.document_id) && !disputed,
		/** The invoice in force, the credit notes that cancelled earlier ones, and those. */
		invoices: disputed
			? []
			: ofWhole
					.toSorted((a, b) => Number(isReplaced(a)) - Number(isReplaced(b)) || b.issued_at.getTime() - a.issued_at.getTime())
					.flatMap((each) => describeInvoice(shop, each, isReplaced(each)) ?? []),
		/** Those of refunds, with the company of their order. */
		creditNotes: disputed
			? []
			: allInvoices.flatMap((each) => {
					const order = orders.find(({ id }) => each.refund_id !== null && id === each.order_id);
					const described = order && describeInvoice(shop, each, false);
					return described ? { ...described, company: order.company_name } : [];
				}),
		mayCorrectInvoice: mayAsk(access, "correct-invoice") && correctable.ok,
		/** The hash of the terms of sale under which it was placed. */
		termsVersion: first.terms_sha256,
		mayChange:
			orders.some(mayChange) ||
			lines.some(({ refundAwaited }) => refundAwaited) ||
			allInvoices.some(({ document_id }) => document_id === null) ||
			(first.paid_at !== null && mayAsk(access, "read-invoice") && invoice === undefined),
	};
}

/** @returns null while its PDF is being made. */
const describeInvoice = (shop: Shop, { kind, number, issued_at, document_id }: IssuedInvoice, replaced: boolean) =>
	document_id === null
		? null
		: { doc_type: kind, number, issued_at: issued_at.toISOString(), replaced, url: createDocumentPath(shop, document_id) };

interface LineContext {
	/** Whether its customer may still cancel it. */
	cancellable: boolean;
	extract: StoredDocument | undefined;
	postedAt: Date | undefined;
	access: AccessKey;
	/** The open refunds of all lines. */
	refunds: readonly Refund[];
}

function describeLine(shop: Shop, order: Order, { cancellable, extract, postedAt, access, refunds }: LineContext) {
	const { refundAwaited, refundDueBy } = describeRefunds(order, refunds, { access, now: shop.now() });
	const isOpen = order.status === "completed" && extract !== undefined && isDownloadable(order, extract);
	return {
		line: order.purchase_line,
		number: order.order_number,
		company: order.company_name,
		siren: order.siren,
		/** The customer's own words: not for a reader who has only the URL. */
		reference: mayAsk(access, "read-reference") ? order.reference : null,
		service: order.product_code,
		promisedAt: order.promised_at?.toISOString() ?? null,
		completedAt: order.completed_at?.toISOString() ?? null,
		status: order.status,
		progress: getProgress(order, { documentIssued: extract !== undefined }),
		/** The registry was asked for the extract, which is still awaited. */
		requested: order.extract_requested_at !== null && extract === undefined,
		late: order.late_at !== null,
		/** Whether its page offers to cancel it. */
		cancellable: cancellable && mayAsk(access, "cancel"),
		/** Failed because the customer cancelled it. */
		cancelled: isCancelled(order),
		trackingNumber: order.tracking_number,
		arrival: announceLetter(order, postedAt, access),
		/** Where its letter goes; null for an order by e-mail, and for other readers. */
		destination: describeLetter(order, access)?.join(", ") ?? null,
		documentUrl: isOpen ? createDocumentPath(shop, extract.id) : null,
		/** Whether its page offers to share it. */
		shareable: isOpen && mayAsk(access, "share"),
		purged: extract !== undefined && extract.purged_at !== null,
		refunded: mayAsk(access, "read-money") ? order.refunded_cents : 0,
		refundAwaited: refundAwaited !== null,
		refundDueBy,
	};
}
