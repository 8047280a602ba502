import type { Runtime } from "../../server/runtime.ts";
import { services } from "../catalogue/services.ts";
import { findExtract } from "../documents/documents.store.server.ts";
import { keepDocument } from "../documents/keep-document.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import type { Issuer } from "../issuing/issuer.ts";
import type { Order } from "./order.ts";
import { appendEvent, changeState, findOrder, keepTrackingNumber } from "./orders.store.server.ts";
import { queueOrderMail } from "./send-order-mail.server.ts";

type Deps = Pick<Runtime, "db" | "jobs" | "now"> & { issuer: Issuer; storage: DocumentStorage };

/**
 * Moves a paid order as far as it can go now: request, document, then mail or post. Each step is a transaction of its own
 * and looks at what is already there, so that a job killed anywhere goes on where it stopped.
 * @throws when the issuer has nothing yet or a partner fails: the job is tried again.
 */
export async function fulfilOrder(deps: Deps, orderId: string): Promise<void> {
	let order = await findOrder(deps.db, orderId);
	if (order?.status === "paid") order = await requestExtract(deps, order);
	if (order?.status !== "processing") return;
	await obtainExtract(deps, order);
	if (services[order.product_code].deliveryMethod === "postal") await postExtract(deps, order);
	// by e-mail, the order is completed when its mail is handed over: see send-order-mail
}

async function requestExtract({ db, issuer, now }: Deps, order: Order): Promise<Order | null> {
	await issuer.request(extractRequest(order));
	return db.transaction().execute((trx) => changeState(trx, order.id, "processing", { now: now() }));
}

async function obtainExtract({ db, jobs, issuer, storage, now }: Deps, order: Order): Promise<void> {
	if (await findExtract(db, order.id)) return;
	const result = await issuer.result(extractRequest(order));
	if (result.state === "pending") throw new Error("the extract is not issued yet");
	const stored = await storage.put(result.pdf);
	await db.transaction().execute(async (trx) => {
		const document = await keepDocument(trx, { orderId: order.id, type: "kbis", issuedAt: result.issuedAt, stored, now: now() });
		if (document === null) return; // another run was faster
		await appendEvent(trx, order.id, "document_issued", { document_id: document.id }, now());
		if (services[order.product_code].deliveryMethod === "email")
			await queueOrderMail({ jobs, now }, trx, order.id, "document-ready", document.id);
	});
}

async function postExtract({ db, jobs, issuer, now }: Deps, order: Order): Promise<void> {
	const result = await issuer.post(extractRequest(order));
	if (result.state === "pending") throw new Error("the extract is not posted yet");
	await db.transaction().execute(async (trx) => {
		if (!(await keepTrackingNumber(trx, order.id, result.trackingNumber))) return;
		await appendEvent(trx, order.id, "posted", { tracking_number: result.trackingNumber }, now());
		await changeState(trx, order.id, "completed", { set: { completed_at: now() }, now: now() });
		await queueOrderMail({ jobs, now }, trx, order.id, "posted", null);
	});
}

function extractRequest(order: Order) {
	return { orderId: order.id, orderNumber: order.order_number, siren: order.siren, companyName: order.company_name };
}
