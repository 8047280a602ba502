import type { Trx } from "../../server/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { signDocumentLink } from "../documents/signed-link.server.ts";
import type { Mailer } from "../mail/mailer.ts";
import { findUnsentMail, insertMail, markMailSent } from "../mail/mails.store.server.ts";
import { renderLetter } from "../mail/render-letter.tsx";
import { sendOrderMailJob } from "./jobs.ts";
import { type OrderMailKind, writeOrderLetter } from "./order-letters.ts";
import { appendEvent, changeState, findOrder } from "./orders.store.server.ts";

/** Writes a mail down and asks for its sending, in the caller's transaction; once per order, kind and document. */
export async function queueOrderMail(
	{ jobs, now }: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	orderId: string,
	kind: OrderMailKind,
	documentId: string | null,
): Promise<void> {
	const mailId = await insertMail(trx, { orderId, kind, documentId, now: now() });
	if (mailId !== null) await jobs.send(trx, sendOrderMailJob, { mailId });
}

/**
 * Sends a mail that was written down. The mail that carries the document completes the order.
 * @throws when the mail could not be handed over: the job is tried again.
 */
export async function sendOrderMail(
	{ db, now, environment, signer, mailer }: Pick<Runtime, "db" | "now" | "environment" | "signer"> & { mailer: Mailer },
	mailId: string,
): Promise<void> {
	const mail = await findUnsentMail(db, mailId);
	const order = mail && (await findOrder(db, mail.order_id));
	if (mail === null || order === null) return;
	const kind = mail.kind as OrderMailKind;
	const letter = writeOrderLetter(kind, order, {
		baseUrl: environment.baseUrl,
		shop: environment.shop,
		happenedAt: mail.created_at,
		...{ resumeUrl: null, refund: null, withdrawal: null, answer: null },
		documentId: mail.document_id,
		documentUrl: mail.document_id && `${environment.baseUrl}/documents/${signDocumentLink(signer, mail.document_id, now())}`,
	});
	const to = kind === "document-ready" ? (order.delivery_email ?? order.customer_email) : order.customer_email;
	await mailer.send({ id: mail.id, to, ...renderLetter(letter, environment.shop) });
	await db.transaction().execute(async (trx) => {
		if (!(await markMailSent(trx, mail.id, now()))) return;
		await appendEvent(trx, order.id, "mail_sent", { kind }, now());
		if (kind !== "document-ready") return;
		await appendEvent(trx, order.id, "document_sent", { document_id: mail.document_id }, now());
		await changeState(trx, order.id, "completed", { set: { completed_at: now() }, now: now() });
	});
}
