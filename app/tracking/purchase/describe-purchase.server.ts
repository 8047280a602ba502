import { href } from "react-router";
import { isPosted } from "../../catalogue/services.ts";
import { documentToken } from "../../documents/document-token.server.ts";
import { listExtracts, type StoredDocument } from "../../documents/documents.server.ts";
import { findInvoiceOfPurchase } from "../../invoices/invoices.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { describeRequests } from "../../orders/describe-request.ts";
import { isCancelled, isFinal, isRefundDue } from "../../orders/lifecycle.ts";
import { type Order, sumPrices } from "../../orders/order.ts";
import { listOrdersOfPurchase } from "../../orders/orders.server.ts";
import { purchaseFilesTokens } from "../../orders/tracking-tokens.server.ts";
import type { Shop } from "../../shop.ts";
import { readNextOpening } from "../order/describe-wait.server.ts";

/** What opens a purchase (docs/rules.md, R40 and R60). */
export type PurchaseAccess = Extract<AccessKey, "purchase" | "purchase-link" | "url">;

/** The archive of each. */
const filesOf = { purchase: "all", "purchase-link": "extracts", url: "masked" } as const satisfies Record<PurchaseAccess, string>;

export const isPurchaseAccess = (access: AccessKey): access is PurchaseAccess => access in filesOf;

export type DescribedPurchase = NonNullable<Awaited<ReturnType<typeof describePurchase>>>;
export type PurchaseLine = DescribedPurchase["lines"][number];

/**
 * A purchase of several orders as its page shows it; null when it has one order. It reads all lines in one query, and their extracts in
 * another.
 * @param first its first order, as findOrderToShow found it. @param payable whether the page offers to pay it.
 */
export async function describePurchase(shop: Shop, { order: first, payable }: { order: Order; payable: boolean }, access: PurchaseAccess) {
	const purchaseId = first.purchase_id;
	const orders = await listOrdersOfPurchase(shop.db, purchaseId);
	if (orders.length < 2) return null;
	const ids = orders.map(({ id }) => id);
	const extracts = new Map((await listExtracts(shop.db, ids)).map((document) => [document.order_id, document]));
	const invoice = mayAsk(access, "read-invoice") ? await findInvoiceOfPurchase(shop.db, purchaseId) : null;
	const disputed = orders.some(({ disputed_at }) => disputed_at !== null);
	const lines = orders.map((order) => describeLine(shop, order, { extract: extracts.get(order.id), access }));
	const documents = lines.filter(({ documentUrl }) => documentUrl !== null).length;
	const filesToken = purchaseFilesTokens[filesOf[access]].sign(shop.signer, first, shop.now());
	return {
		number: first.order_number,
		access,
		status: first.status,
		paid: first.paid_at !== null,
		payable: payable && mayAsk(access, "resume"),
		disputed,
		cancelled: lines.every(({ cancelled }) => cancelled),
		/** The amounts of a payment are its customer's. */
		total: mayAsk(access, "read-money") ? sumPrices(orders) : null,
		refunded: lines.reduce((sum, { refunded }) => sum + refunded, 0),
		lines,
		/** Says whether the registry was asked for the extracts that are awaited; null when none is. */
		request: describeRequests(orders, new Set(extracts.keys()), await readNextOpening(shop)),
		/** How many extracts can be downloaded now. */
		documents,
		filesUrl: documents > 0 ? href("/documents/ensemble/:token", { token: filesToken }) : null,
		invoiceUrl: invoice?.document_id && !disputed ? linkDocument(shop, invoice.document_id) : null,
		/** The hash of the terms of sale under which it was placed. */
		termsVersion: first.terms_sha256,
		mayChange:
			lines.some(({ mayChange }) => mayChange) || (first.paid_at !== null && mayAsk(access, "read-invoice") && !invoice?.document_id),
	};
}

const linkDocument = ({ signer, now }: Shop, id: string) => href("/documents/:token", { token: documentToken.sign(signer, id, now()) });

interface LineContext {
	extract: StoredDocument | undefined;
	access: PurchaseAccess;
}

function describeLine(shop: Shop, order: Order, { extract, access }: LineContext) {
	const refundAwaited = isRefundDue(order);
	// the rule is openDocument's: no link to a posted extract, nor to a disputed or purged document
	const isOpen = order.status === "completed" && extract?.purged_at === null && order.disputed_at === null && !isPosted(order.product_code);
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
		/** The registry was asked for the extract, which is still awaited. */
		requested: order.extract_requested_at !== null && extract === undefined,
		late: order.late_at !== null,
		/** Failed because the customer cancelled it. */
		cancelled: isCancelled(order),
		trackingNumber: order.tracking_number,
		documentUrl: isOpen ? linkDocument(shop, extract.id) : null,
		purged: extract !== undefined && extract.purged_at !== null,
		refunded: mayAsk(access, "read-money") ? order.refunded_cents : 0,
		refundAwaited,
		/** Whether the line may change by itself. */
		mayChange: !isFinal(order.status) || (order.status === "failed" && refundAwaited),
	};
}
