import type { Trx } from "../../server/database/database.ts";
import { isPosted } from "../catalogue/services.ts";
import { hasDesk } from "../catalogue/settings/has-desk.store.server.ts";
import { completeAfter } from "../emails/complete-after.server.ts";
import { queueOrderEmail } from "../emails/queue-order-email.server.ts";
import { findExtract } from "../orders/documents/documents.store.server.ts";
import { insertDocument } from "../orders/documents/insert-document.server.ts";
import type { StorageContext, StoredFile } from "../orders/documents/storage.ts";
import { isInProgress } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { changeState, findOrder, lockOrder, recordEvent, updateTrackingNumber } from "../orders/orders.store.server.ts";
import { findRecipient } from "../orders/recipient.ts";
import { describeUpload, findRequest } from "./extract-requests.store.server.ts";
import { failOrderWithin } from "./fail-order.server.ts";
import type { ExtractRequest, Issuer } from "./issuers/issuer.ts";

type IssuingContext = StorageContext & { issuer: Issuer };

/**
 * Moves a paid order on as far as possible. First the issuer is asked, outside of any transaction: an order that is asked about again gives
 * the same answer. Then one transaction records all of it: the request, the extract with its e-mails, and the end of the job. Only the
 * posting has a second one, since a letter leaves after its extract is recorded. So a killed job begins again, or continues with the posting.
 * If there is no extract yet, its upload sends the job again. If the order is about another company since, the issuer is asked about that one.
 * @throws when a partner fails: the job is tried again.
 */
export async function fulfilOrder(context: IssuingContext, orderId: string): Promise<void> {
	const order = await findOrder(context.db, orderId);
	if (order === null || !isInProgress(order.status)) return; // saves calls to the issuer; the rule is checked under the lock
	const requested = order.status === "paid" ? (await context.issuer.request(toExtractRequest(order))).state : null;
	const obtained = requested === "not-available" ? ({ state: requested } as const) : await obtainExtract(context, order);
	const next = await context.db.transaction().execute(async (trx): Promise<"ask again" | "post" | "end"> => {
		const locked = await lockOrder(trx, order.id);
		if (locked === null || !isInProgress(locked.status)) return "end"; // the rule: the customer may have cancelled since
		if (locked.siren !== order.siren) return "ask again"; // the rule: the answer is about the company that the order had before
		const isLetter = mayBePosted(order, obtained);
		// before a job that asks again is sent: the queue takes one of each order at a time
		if (!isLetter) await context.jobs.complete(trx, "fulfil-order");
		if (locked.status === "paid" && obtained.state !== "not-available")
			await recordTaken(context, trx, order.id, requested === "requested");
		await recordObtained(context, trx, locked, obtained);
		return isLetter ? "post" : "end";
	});
	if (next === "ask again") await fulfilOrder(context, orderId);
	// net: postExtract refuses a tracking number without an extract
	if (next === "post") await completePostalOrder(context, order);
}

/** What the issuer has for an order, or that it never will. `issued`: it was recorded before. A new extract is in the storage. */
type ObtainedExtract =
	| { state: "issued" }
	| { state: "not-available" }
	| { state: "ready"; stored: StoredFile; issuedAt: Date }
	| Exclude<Awaited<ReturnType<Issuer["result"]>>, { state: "ready" }>;

async function obtainExtract({ db, issuer, storage }: IssuingContext, order: Order): Promise<ObtainedExtract> {
	// saves a call to the issuer; the rule is checked under the lock
	if (order.status === "processing" && (await findExtract(db, order.id))) return { state: "issued" };
	const result = await issuer.result(toExtractRequest(order));
	return result.state === "ready" ? { state: "ready", stored: await storage.put(result.pdf), issuedAt: result.issuedAt } : result;
}

const mayBePosted = ({ product_code }: Order, { state }: ObtainedExtract) =>
	isPosted(product_code) && (state === "issued" || state === "ready");

/** Records that the issuer has just taken a paid order. @param isAsked whether the registry is asked for its extract. */
async function recordTaken({ now }: IssuingContext, trx: Trx, orderId: string, isAsked: boolean): Promise<void> {
	await changeState(trx, orderId, "processing", { set: isAsked ? { extract_requested_at: now() } : {}, now: now() });
	if (isAsked) await recordEvent(trx, { orderId, type: "extract_requested", now: now() });
}

async function recordObtained(context: IssuingContext, trx: Trx, locked: Order, obtained: ObtainedExtract): Promise<void> {
	const { jobs, now } = context;
	const { id: orderId } = locked;
	if (obtained.state === "not-available") {
		await failOrderWithin(context, trx, orderId, "not-available", {});
	} else if (obtained.state === "pending" && obtained.readyAt) {
		await jobs.send(trx, "fulfil-order", { orderId, because: "ready" }, obtained.readyAt);
	} else if (obtained.state === "pending") {
		// at the desk, the queue and its alerts announce the order; a mail for each would hide the others
		// one e-mail for all orders of a purchase, at its first one
		if (!(await hasDesk(trx))) await queueOrderEmail(context, trx, { orderId: locked.purchase_id, kind: "alert-extract-needed" });
	} else if (obtained.state === "not-found") {
		const request = await findRequest(trx, orderId);
		await failOrderWithin(context, trx, orderId, "not-found", {
			because: request?.not_found_because ?? "unknown",
			...(request?.served_by && { by: request.served_by }),
		});
	} else if (obtained.state === "issued" || (await findExtract(trx, orderId))) {
		// the rule: another run may have stored it; net: the index of insertDocument
		await completeAfter(context, trx, locked, "issued");
	} else {
		const { issuedAt, stored } = obtained;
		const document = await insertDocument(trx, { orderId, type: "kbis", issuedAt, stored, now: now() });
		const request = await findRequest(trx, orderId);
		const upload = describeUpload({ by: request?.served_by, confirmed: request?.confirmed });
		await recordEvent(trx, { orderId, type: "document_issued", payload: { document_id: document.id, ...upload }, now: now() });
		const completed = await completeAfter(context, trx, locked, "issued");
		if (completed || isPosted(locked.product_code)) return;
		await queueOrderEmail(context, trx, { orderId, kind: "document-ready", documentId: document.id });
		if (findRecipient(locked)) await queueOrderEmail(context, trx, { orderId, kind: "document-ready-delivery", documentId: document.id });
	}
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
		const completed = await completeAfter(context, trx, locked, "posted");
		if (completed?.isOneOfSeveral === false) await queueOrderEmail(context, trx, { orderId: order.id, kind: "posted" });
		await context.jobs.complete(trx, "fulfil-order");
	});
}

function toExtractRequest(order: Order): ExtractRequest {
	if (order.paid_at === null) throw new Error("only a paid order is fulfilled");
	const company = { siren: order.siren, companyName: order.company_name };
	return { orderId: order.id, ...company, paidAt: order.paid_at, line: order.purchase_line };
}
