import { hourSeconds } from "../../../../server/durations.ts";
import { mayAsk } from "../../../orders/access.ts";
import { findDocument, listExtracts } from "../../../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../../../orders/documents/storage.ts";
import { findInvoiceOfPurchase } from "../../../orders/invoices/invoices.store.server.ts";
import { createDocumentPath } from "../../../orders/keys.server.ts";
import type { Order } from "../../../orders/order.ts";
import { listOrdersOfPurchase } from "../../../orders/orders.store.server.ts";
import { listOrdersToSameRecipient } from "../../../orders/recipient.ts";
import { findTermsOfOrder } from "../../../orders/terms/terms-of-order.server.ts";
import type { DocumentRefusal } from "../documents/open-document.server.ts";
import { openKey } from "../open-key.server.ts";
import type { PurchaseFiles } from "./zip-purchase.server.ts";

/** Archives of one purchase per hour, by all its links: each reads all its files. */
const archivesPerHour = 60;

/** `none`: no document is ready. `recipient-…`: the same for the second address. `retryAfter`: seconds. */
export type PurchaseFilesRefusal =
	| { ok: false; code: Exclude<DocumentRefusal["code"], "lost"> | "none" | "recipient-expired" | "recipient-frozen" }
	| { ok: false; code: "limited"; retryAfter: number };

/**
 * Finds the documents that a link to an archive opens. The files are read later, by zipPurchase. The only extract of a second address needs
 * no archive: `documentPath` opens it.
 */
export async function openPurchaseFiles(
	context: StorageContext,
	token: string,
): Promise<{ ok: true; files: PurchaseFiles; fileName: string } | { ok: true; documentPath: string } | PurchaseFilesRefusal> {
	const { db, storage } = context;
	const link = await readLink(context, token);
	if (!link.ok) return link;
	const [first, ...others] = link.orders;
	if (first === undefined) return refuse("expired");
	if (link.orders.some(({ disputed_at }) => disputed_at !== null)) return refuse(link.forRecipient ? "recipient-frozen" : "frozen");
	const extracts = await listExtracts(
		db,
		link.orders.map(({ id }) => id),
	);
	if (extracts.every(({ purged_at }) => purged_at !== null)) return refuse(extracts.length > 0 ? "expired" : "none");
	const [extract, ...more] = extracts;
	if (link.forRecipient && extract && more.length === 0) return { ok: true, documentPath: createDocumentPath(context, extract.id) };
	const taken = await context.limits("purchase-files", archivesPerHour, hourSeconds).take(first.purchase_id);
	if (!taken.ok) return { ...taken, code: "limited" };
	if (!(await storage.ready())) return refuse("unavailable");
	const invoice = link.hasInvoice ? await findInvoiceOfPurchase(db, first.purchase_id) : null;
	return {
		ok: true,
		files: {
			orders: [first, ...others],
			extracts: new Map(extracts.map((document) => [document.order_id, document])),
			invoice: invoice?.document_id ? await findDocument(db, invoice.document_id) : null,
			// the papers of the contract go together
			terms: link.hasInvoice ? await findTermsOfOrder(db, first) : null,
			forOthers: link.forOthers,
		},
		fileName: link.forOthers ? "Extraits.zip" : `Commande-groupee_${first.order_number}.zip`,
	};
}

const refuse = <Code extends Exclude<PurchaseFilesRefusal["code"], "limited">>(code: Code) => ({ ok: false as const, code });

/** `forRecipient`: of the second address. `forOthers`: see PurchaseFiles. */
type Link =
	| { ok: true; orders: Order[]; hasInvoice: boolean; forRecipient: boolean; forOthers: boolean }
	| { ok: false; code: "tampered" | "expired" | "recipient-expired" };

/** Reads the link of the customer, for all orders, or that of a second address, for those that go there. */
async function readLink(context: StorageContext, token: string): Promise<Link> {
	const link = await openKey(context, "files", token);
	if (!link.ok && link.code === "expired") return link;
	const opened = link.ok ? link : await openKey(context, "recipient-files", token);
	if (!opened.ok) return refuse(opened.code === "expired" ? "recipient-expired" : opened.code);
	const { order, access } = opened;
	const all = await listOrdersOfPurchase(context.db, order.purchase_id);
	const delivered = all.filter(({ product_code, status }) => product_code === order.product_code && status === "completed");
	return {
		ok: true,
		orders: link.ok ? all : listOrdersToSameRecipient(order, delivered),
		hasInvoice: mayAsk(access, "read-invoice"),
		forRecipient: !link.ok,
		forOthers: !mayAsk(access, "read-reference"),
	};
}
