import { hourSeconds } from "../../../server/durations.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import { findDocument, listExtracts } from "../../documents/documents.server.ts";
import type { StorageContext } from "../../documents/storage.ts";
import { findInvoiceOfPurchase } from "../../invoices/invoices.server.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder, listOrdersOfPurchase } from "../../orders/orders.server.ts";
import { findRecipient, listOrdersToSameRecipient } from "../../orders/recipient.ts";
import { purchaseFilesTokens, recipientFilesToken } from "../../orders/tracking-tokens.server.ts";
import { findTermsOfOrder } from "../../terms/terms-of-order.server.ts";
import type { DocumentRefusal } from "../documents/open-document.server.ts";
import type { PurchaseFiles } from "./zip-purchase.server.ts";

/** Archives of one purchase per hour, by all its links: each reads all its files. */
const archivesPerHour = 60;

/** `none`: no document is ready. `recipient-…`: the same for the second address. `retryAfter`: seconds. */
export type PurchaseFilesRefusal =
	| { ok: false; code: Exclude<DocumentRefusal["code"], "lost"> | "none" | "recipient-expired" | "recipient-frozen" }
	| { ok: false; code: "limited"; retryAfter: number };

/** Finds the documents that a link to an archive opens. The files are read later, by zipPurchase. */
export async function openPurchaseFiles(
	context: StorageContext,
	token: string,
): Promise<{ ok: true; files: PurchaseFiles; fileName: string } | PurchaseFilesRefusal> {
	const { db, storage } = context;
	const link = await readLink(context, token);
	if (!link.ok) return link;
	const [first, ...others] = link.orders;
	if (first === undefined || link.orders.some(({ erased_at }) => erased_at !== null)) return refuse("expired");
	if (link.orders.some(({ disputed_at }) => disputed_at !== null)) return refuse(link.forRecipient ? "recipient-frozen" : "frozen");
	const extracts = await listExtracts(
		db,
		link.orders.map(({ id }) => id),
	);
	if (extracts.every(({ purged_at }) => purged_at !== null)) return refuse(extracts.length > 0 ? "expired" : "none");
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
async function readLink({ db, signer, now }: StorageContext, token: string): Promise<Link> {
	const orderId = recipientFilesToken.parseOrderId(token);
	const order = orderId && (await findOrder(db, orderId));
	if (!order) return refuse("tampered");
	for (const kind of typedKeys(purchaseFilesTokens)) {
		const link = purchaseFilesTokens[kind].read(signer, token, order, now());
		if (link.ok) {
			const orders = await listOrdersOfPurchase(db, order.purchase_id);
			return { ok: true, orders, hasInvoice: kind === "all", forRecipient: false, forOthers: kind === "masked" };
		}
		if (link.code === "expired") return link;
	}
	const recipient = findRecipient(order);
	if (!recipient) return refuse("tampered");
	const link = recipientFilesToken.read(signer, token, { id: order.id, customer_email: recipient }, now());
	if (!link.ok) return refuse(link.code === "expired" ? "recipient-expired" : link.code);
	const ofService = (await listOrdersOfPurchase(db, order.purchase_id)).filter(({ product_code }) => product_code === order.product_code);
	const delivered = ofService.filter(({ status }) => status === "completed");
	return { ok: true, orders: listOrdersToSameRecipient(order, delivered), hasInvoice: false, forRecipient: true, forOthers: true };
}
