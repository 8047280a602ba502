import type { Trx } from "../../server/database/database.ts";
import { isPosted } from "../catalogue/services.ts";
import { findExtract } from "../documents/documents.server.ts";
import { insertDocument } from "../documents/insert-document.server.ts";
import type { StorageContext } from "../documents/storage.ts";
import { hasDesk } from "../operators/operators.server.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { announceEndInPurchase } from "../order-emails/queue-purchase-emails.server.ts";
import type { Order } from "../orders/order.ts";
import {
	changeState,
	findOrder,
	isBoughtWithOthers,
	listPurchaseLines,
	lockOrder,
	recordEvent,
	updateTrackingNumber,
} from "../orders/orders.server.ts";
import { findRecipient } from "../orders/recipient.ts";
import { describeUpload, findRequest } from "./extract-requests.store.server.ts";
import { failOrder } from "./fail-order.server.ts";
import type { ExtractRequest, Issuer } from "./issuers/issuer.ts";
import { markRequested } from "./record-request.server.ts";

type IssuingContext = StorageContext & { issuer: Issuer };

/**
 * Moves a paid order on as far as possible: request, document, then e-mail or post. Each step is one transaction that checks what is
 * already done, so a killed job continues where it stopped. If there is no extract yet, its upload sends the job again.
 * @throws when a partner fails: the job is tried again.
 */
export async function fulfilOrder(context: IssuingContext, orderId: string): Promise<void> {
	let order = await findOrder(context.db, orderId);
	if (order?.status === "paid") order = await requestExtract(context, order);
	if (order?.status !== "processing") return; // saves a call to the issuer; the rule is checked under the lock
	const obtained = await obtainExtract(context, order);
	// net: postExtract refuses a tracking number without an extract
	if (obtained && isPosted(order.product_code)) await completePostalOrder(context, order);
	// an order by e-mail is completed with its document when it was bought with others, and by sendOrderEmail when it was bought alone
}

async function requestExtract(context: IssuingContext, order: Order): Promise<Order | null> {
	const requested = await context.issuer.request(toExtractRequest(order));
	if (requested.state === "not-available") {
		await failOrder(context, order.id, "not-available");
		return null;
	}
	return context.db.transaction().execute(async (trx) => {
		const processing = await changeState(trx, order.id, "processing", { now: context.now() });
		if (processing === null || requested.state === "queued") return processing;
		return markRequested(trx, processing, { now: context.now() });
	});
}

/** @returns whether the order has its extract. */
async function obtainExtract(context: IssuingContext, order: Order): Promise<boolean> {
	const { db, issuer, storage, now } = context;
	if (await findExtract(db, order.id)) {
		// saves a call to the issuer; the rule is checked under the lock
		await db.transaction().execute(async (trx) => completeInPurchase(context, trx, await lockOrder(trx, order.id)));
		return true;
	}
	const result = await issuer.result(toExtractRequest(order));
	if (result.state === "pending" && result.readyAt) {
		await askAgain(context, order, result.readyAt);
		return false;
	}
	if (result.state === "pending") {
		// at the desk, the queue and its alerts announce the order; a mail for each would hide the others
		if (!(await hasDesk(db))) await announceOrder(context, order);
		return false;
	}
	if (result.state === "not-found") {
		const request = await findRequest(db, order.id);
		await failOrder(context, order.id, "not-found", {
			because: request?.not_found_because ?? "unknown",
			...(request?.served_by && { by: request.served_by }),
		});
		return false;
	}
	const stored = await storage.put(result.pdf);
	return db.transaction().execute(async (trx) => {
		const locked = await lockOrder(trx, order.id);
		if (locked?.status !== "processing") return false; // the rule: the customer may have cancelled since
		if (await findExtract(trx, order.id)) return true; // the rule: another run may have stored it; net: the index of insertDocument
		const document = await insertDocument(trx, { orderId: order.id, type: "kbis", issuedAt: result.issuedAt, stored, now: now() });
		const request = await findRequest(trx, order.id);
		const upload = describeUpload({ by: request?.served_by, confirmed: request?.confirmed });
		await recordEvent(trx, { orderId: order.id, type: "document_issued", payload: { document_id: document.id, ...upload }, now: now() });
		if (isPosted(order.product_code) || (await completeInPurchase(context, trx, locked))) return true;
		await queueOrderEmail(context, trx, { orderId: order.id, kind: "document-ready", documentId: document.id });
		if (findRecipient(locked))
			await queueOrderEmail(context, trx, { orderId: order.id, kind: "document-ready-delivery", documentId: document.id });
		return true;
	});
}

function askAgain({ db, jobs }: IssuingContext, { id: orderId }: Order, at: Date): Promise<void> {
	return db.transaction().execute((trx) => jobs.send(trx, "fulfil-order", { orderId, because: "ready" }, at));
}

/** Tells the operator that an order waits for its extract; once for all orders of a purchase. */
async function announceOrder(context: IssuingContext, order: Order): Promise<void> {
	const [first] = await listPurchaseLines(context.db, order.purchase_id);
	const email = first
		? ({ orderId: first.id, kind: "alert-extracts-needed" } as const)
		: ({ orderId: order.id, kind: "alert-extract-needed" } as const);
	await context.db.transaction().execute((trx) => queueOrderEmail(context, trx, email));
}

/**
 * Completes an order by e-mail that was bought with others and has its document: it is delivered on the page of the purchase, and one
 * e-mail tells of all orders of its service. @returns false for an order that was bought alone: its own e-mail delivers it.
 */
async function completeInPurchase(context: IssuingContext, trx: Trx, locked: Order | null): Promise<boolean> {
	if (locked?.status !== "processing" || isPosted(locked.product_code) || !(await isBoughtWithOthers(trx, locked))) return false;
	await changeState(trx, locked.id, "completed", { set: { completed_at: context.now() }, now: context.now() });
	await announceEndInPurchase(context, trx, locked);
	return true;
}

async function completePostalOrder(context: IssuingContext, order: Order): Promise<void> {
	const { db, issuer, now } = context;
	const result = await issuer.post(toExtractRequest(order));
	if (result.state === "pending") return;
	await db.transaction().execute(async (trx) => {
		const locked = await lockOrder(trx, order.id);
		if (locked?.status !== "processing") return; // the rule: the customer may have cancelled since
		await updateTrackingNumber(trx, order.id, result.trackingNumber);
		await recordEvent(trx, { orderId: order.id, type: "posted", payload: { tracking_number: result.trackingNumber }, now: now() });
		await changeState(trx, order.id, "completed", { set: { completed_at: now() }, now: now() });
		if (await announceEndInPurchase(context, trx, locked)) return;
		await queueOrderEmail(context, trx, { orderId: order.id, kind: "posted" });
	});
}

function toExtractRequest(order: Order): ExtractRequest {
	if (order.paid_at === null) throw new Error("only a paid order is fulfilled");
	const company = { siren: order.siren, companyName: order.company_name };
	return { orderId: order.id, ...company, paidAt: order.paid_at, line: order.purchase_line };
}
