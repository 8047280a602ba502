import type { Database, Trx } from "../../server/database/database.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { describeFault } from "../../server/observability/log.ts";
import { type AskedOutcome, sendAskedEmail } from "../mail/asked-emails.server.ts";
import type { MailContext, OutgoingMail } from "../mail/mailer.ts";
import { deleteUnsentMail, findUnsentMail, hasUnsentMail, markMailSent, wasMailQueued } from "../mail/mails.store.server.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { insertSentEmail } from "../mail/sent-emails.store.server.ts";
import { copyOrder } from "../orders/copies/copy-order.server.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, lockOrder, recordEvent } from "../orders/orders.store.server.ts";
import { findRecipient } from "../orders/recipient.ts";
import { findOwnAddress } from "../orders/resends.server.ts";
import { recordBounce } from "./bounces.server.ts";
import type { EmailFile, EmailSubject, WrittenEmail } from "./define-order-email.server.ts";
import { getDocumentFileName } from "./name-document.server.ts";
import { getOrderEmail, listRowKinds, type OrderEmail, orderEmails } from "./order-emails.server.ts";
import { getSendingJob, queueOrderEmail, requeueMail } from "./queue-order-email.server.ts";
import { readDocument } from "./read-document.server.ts";
import { describeSentEmail } from "./sent-emails.server.ts";

type SendingContext = StorageContext & MailContext;

/**
 * Sends a queued e-mail, and does what its sending changes. A permanent refusal is recorded on the order, and the operator receives an
 * alert. An e-mail that has no address any more, is outdated, or has nothing left to tell is deleted.
 * @throws after a temporary failure: the job tries again.
 */
export async function sendOrderEmail(context: SendingContext, mailId: string): Promise<void> {
	const { db, environment } = context;
	const mail = await findUnsentMail(db, mailId); // an e-mail is sent once
	const order = mail && (await findOrder(db, mail.order_id));
	if (mail === null || order === null) return;
	const email = getOrderEmail(mail.kind);
	const to = await findAddress(context, db, email, { mail, order });
	const written = to === null || email.isOutdated?.(order) ? null : await email.write(context, { mail, order });
	if (to === null || written === null) return deleteUnsentMail(db, mail.id);
	const { content, files, unsubscribeUrl } = written;
	const outgoing = {
		id: mail.id,
		to,
		...renderEmail(content, environment.shop),
		attachments: await Promise.all(files.map((file) => readFile(context, order, file))),
		...(unsubscribeUrl && { unsubscribeUrl }),
	};
	const sentEmail = await describeSentEmail(order, email, outgoing);
	const outcome = await sendWithinLimit(context, email, order, outgoing);
	if (!outcome.ok && outcome.code === "limited") {
		context.log.info({ order: order.id, kind: email.name }, "an e-mail about an unpaid order is dropped: its mailbox had those of a day");
		return deleteUnsentMail(db, mail.id);
	}
	const isLast = await db.transaction().execute(async (trx) => {
		await recordOutcome(context, trx, { mail, email, order, to, outcome, sentEmail, written });
		await context.jobs.complete(trx, getSendingJob(email));
		return email.to !== "operator" && !(await isCopiedLater(trx, order));
	});
	if (!isLast) return;
	// copied at once, so that a recreated order does not send this e-mail again; a failed copy is retried within a minute
	await copyOrder(context, order.id).catch((error) =>
		context.log.warn({ order: order.id, error: describeFault(error) }, "an order could not be copied at once"),
	);
}

/** The kinds whose sending copies the order. Those that wait for hours do not count. */
const copyingKinds = Object.values(orderEmails)
	.filter(({ to, isBulk, delay }: OrderEmail) => to !== "operator" && !isBulk && delay === undefined)
	.flatMap(listRowKinds);

/**
 * Whether the order is copied soon by something else: by another of its e-mails that is queued, by the confirmation that its payment leads to, or,
 * for a later line, by the invoice that comes with it. If none of them can, the order is copied within a minute.
 */
async function isCopiedLater(trx: Trx, { id, purchase_id }: Order): Promise<boolean> {
	return (await hasUnsentMail(trx, id, copyingKinds)) || !(await wasMailQueued(trx, purchase_id, ["confirmation"]));
}

/** Records, under the lock of the order, that an e-mail has left or was refused, and what follows. */
async function recordOutcome(
	context: SendingContext,
	trx: Trx,
	{ mail, email, order, to, outcome, sentEmail, written }: SentOutcome,
): Promise<void> {
	const now = context.now();
	const present = await lockOrder(trx, order.id);
	// the address was corrected during the sending: nothing was delivered, and the new address gets the e-mail
	const newAddress = present && (await findAddress(context, trx, email, { mail, order: present }));
	// a recipient who was removed meanwhile does not count: one who is added later gets the e-mail
	if (newAddress === null) return deleteUnsentMail(trx, mail.id);
	if (normalizeEmail(newAddress) !== normalizeEmail(to)) return requeueMail(context, trx, mail);
	if (!outcome.ok) return void (await recordBounce(context, trx, mail, outcome.reply));
	// net: another run may have sent it meanwhile
	if (!(await markMailSent(trx, mail.id, now))) return;
	await insertSentEmail(trx, { ...sentEmail, sentAt: now });
	if (email.to === "operator") logOrderEvent(trx, order.id, "mail_sent", { kind: email.name });
	else await recordEvent(trx, { orderId: order.id, type: "mail_sent", payload: { kind: email.name }, now });
	await written.afterSending(trx, queueOrderEmail);
}

interface SentOutcome extends EmailSubject {
	email: OrderEmail;
	to: string;
	outcome: Exclude<AskedOutcome, { code: "limited" }>;
	sentEmail: Awaited<ReturnType<typeof describeSentEmail>>;
	written: WrittenEmail;
}

/** Once there is a payment, even a mismatched one, the e-mails of its customer are not limited. */
function sendWithinLimit(context: SendingContext, { dailyLimit }: OrderEmail, order: Order, mail: OutgoingMail): Promise<AskedOutcome> {
	if (dailyLimit === undefined || order.paid_at !== null || order.set_aside_at !== null) return context.mailer.send(mail);
	return sendAskedEmail(context, mail, [{ ...dailyLimit, subject: normalizeEmail(mail.to) }]);
}

/** @returns the address of an e-mail; null when it has none any more. */
async function findAddress(
	{ environment }: SendingContext,
	db: Database | Trx,
	{ to }: OrderEmail,
	{ mail, order }: EmailSubject,
): Promise<string | null> {
	if (to === "operator") return environment.operatorEmail;
	if (order.erased_at !== null) return null; // net: an erasure deletes unsent mails (anonymiseMails)
	if (to === "previous") return mail.recipient;
	const own = await findOwnAddress(db, order);
	if (to === "customer") return own ?? order.customer_email;
	return own === null ? findRecipient(order) : null;
}

/** Each try attaches the same bytes: the storage verifies them by their hash. @throws when it cannot give them: the job tries again. */
async function readFile(context: SendingContext, order: Order, file: EmailFile) {
	const contentType = "application/pdf";
	if (!("storage_path" in file)) return { fileName: file.fileName, contentType, content: file.bytes };
	const read = await readDocument(context, file);
	if (!read.ok) throw new Error(`the document ${file.id} cannot be attached: it is ${read.code}`);
	// of a purchase, the e-mail has the number of its first order, and the file may be another's
	const owner = file.order_id === order.id ? order : await findOrder(context.db, file.order_id);
	return { fileName: await getDocumentFileName(context.db, owner ?? order, file), contentType, content: read.bytes };
}
