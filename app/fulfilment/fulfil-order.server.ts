import { isPosted } from "../catalogue/services.ts";
import { findExtract } from "../documents/documents.server.ts";
import { insertDocument } from "../documents/insert-document.server.ts";
import type { StorageContext } from "../documents/storage.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import type { Order } from "../orders/order.ts";
import { changeState, findOrder, lockOrder, recordEvent, updateTrackingNumber } from "../orders/orders.server.ts";
import { failOrder } from "./fail-order.server.ts";
import type { Issuer } from "./issuer.ts";

type IssuingContext = StorageContext & { issuer: Issuer };

/**
 * Moves a paid order as far as it can go now: request, document, then e-mail or post. Each step is one transaction and looks at
 * what is already there, so that a job that was killed goes on where it stopped. When the issuer has no extract yet, the upload
 * sends the job again.
 * @throws when a partner fails: the job is tried again.
 */
export async function fulfilOrder(context: IssuingContext, orderId: string): Promise<void> {
	let order = await findOrder(context.db, orderId);
	if (order?.status === "paid") order = await requestExtract(context, order);
	if (order?.status !== "processing") return; // spares a question to the issuer; the rule is checked under the lock
	const obtained = await obtainExtract(context, order);
	// net: postExtract takes no tracking number before the extract
	if (obtained && isPosted(order.product_code)) await completePosted(context, order);
	// by e-mail, the order is completed when its mail is handed over: see send-order-mail
}

async function requestExtract(context: IssuingContext, order: Order): Promise<Order | null> {
	const requested = await context.issuer.request(extractRequest(order));
	if (requested.state === "not-available") {
		await failOrder(context, order.id, "not-available");
		return null;
	}
	return context.db.transaction().execute((trx) => changeState(trx, order.id, "processing", { now: context.now() }));
}

/** @returns whether the extract is there. */
async function obtainExtract(context: IssuingContext, order: Order): Promise<boolean> {
	const { db, issuer, storage, now } = context;
	if (await findExtract(db, order.id)) return true; // spares a question to the issuer; the rule is checked under the lock
	const result = await issuer.result(extractRequest(order));
	if (result.state === "pending") {
		await db.transaction().execute((trx) => queueOrderEmail(context, trx, { orderId: order.id, kind: "alert-extract-needed" }));
		return false;
	}
	if (result.state === "not-found") {
		await failOrder(context, order.id, "not-found");
		return false;
	}
	const stored = await storage.put(result.pdf);
	return db.transaction().execute(async (trx) => {
		const present = await lockOrder(trx, order.id);
		if (present?.status !== "processing") return false; // the rule: it may have been cancelled meanwhile
		if (await findExtract(trx, order.id)) return true; // the rule: another run was faster; net: the index of insertDocument
		const document = await insertDocument(trx, { orderId: order.id, type: "kbis", issuedAt: result.issuedAt, stored, now: now() });
		await recordEvent(trx, { orderId: order.id, type: "document_issued", payload: { document_id: document.id }, now: now() });
		if (!isPosted(order.product_code))
			await queueOrderEmail(context, trx, { orderId: order.id, kind: "document-ready", documentId: document.id });
		return true;
	});
}

async function completePosted(context: IssuingContext, order: Order): Promise<void> {
	const { db, issuer, now } = context;
	const result = await issuer.post(extractRequest(order));
	if (result.state === "pending") return;
	await db.transaction().execute(async (trx) => {
		if ((await lockOrder(trx, order.id))?.status !== "processing") return; // the rule: it may have been cancelled meanwhile
		await updateTrackingNumber(trx, order.id, result.trackingNumber);
		await recordEvent(trx, { orderId: order.id, type: "posted", payload: { tracking_number: result.trackingNumber }, now: now() });
		await changeState(trx, order.id, "completed", { set: { completed_at: now() }, now: now() });
		await queueOrderEmail(context, trx, { orderId: order.id, kind: "posted" });
	});
}

function extractRequest(order: Order) {
	return { orderId: order.id, orderNumber: order.order_number, siren: order.siren, companyName: order.company_name };
}
