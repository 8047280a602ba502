import type { Trx } from "../../../../server/database/database.ts";
import { daySeconds } from "../../../../server/durations.ts";
import { takeTogether } from "../../../../server/rate-limits.ts";
import type { Context } from "../../../../server/runtime.ts";
import { isPosted } from "../../../catalogue/services.ts";
import { groupByService, listOfService } from "../../../emails/email-parts.ts";
import { getOrderEmail } from "../../../emails/order-emails.server.ts";
import { queueOrderEmail, requeueMail } from "../../../emails/queue-order-email.server.ts";
import { queueEmailsOfEnd } from "../../../emails/queue-purchase-emails.server.ts";
import { isEmail } from "../../../mail/email-address.ts";
import { deleteMailsOfKind, listMails, type QueuedMail } from "../../../mail/mails.store.server.ts";
import { normalizeEmail } from "../../../mail/normalize-email.ts";
import { type AccessKey, mayAsk } from "../../../orders/access.ts";
import { findExtract, listExtracts, type StoredDocument } from "../../../orders/documents/documents.store.server.ts";
import { isInProgress } from "../../../orders/lifecycle.ts";
import { isDownloadable, type Order } from "../../../orders/order.ts";
import { listEvents, lockOrderWithPurchase, recordEvent, updateOrder } from "../../../orders/orders.store.server.ts";
import { findRecipient } from "../../../orders/recipient.ts";
import { isOwnAddress, listResends, maxResends } from "../../../orders/resends.server.ts";
import type { CorrectedAddresses } from "./address-sentences.ts";

export interface Addresses {
	email: string;
	/** The second address for the PDF; empty for none. */
	recipient: string;
	/** The second address, to which what was delivered is sent again, is the customer's own. */
	own?: boolean;
}

/** `too-late`: the order has ended since. `unchanged`: both addresses are the order's. */
export type AddressCorrectionOutcome =
	| { ok: true; order: Order; corrected: CorrectedAddresses }
	| { ok: false; code: "no-access" | "invalid-email" | "invalid-recipient" | "too-late" | "unchanged" }
	| { ok: false; code: "limited"; retryAfter: number };

/** Corrections of a purchase in a day, and corrections of a day that bring orders to one mailbox (docs/rules.md, R186). */
export const correctionsPerPurchase = 5;
const correctionsPerMailbox = 5;

/**
 * Whether the addresses of a purchase may still be corrected: one of its orders is paid and has not ended. Bought alone, an order ends when
 * its e-mail has left, so one that the mail server refused leaves it open; bought with others, with its document
 * (docs/decisions/0057-one-way-to-complete.md).
 */
export const mayCorrectAddresses = (purchase: readonly Order[]): boolean =>
	purchase.some(({ status, erased_at }) => isInProgress(status) && erased_at === null);

/**
 * Whether the extracts of a purchase that were sent may be sent to a second address too, in place of the one to which they were sent again
 * before: their e-mails may have gone astray. The address of the orders stays, because a forwarded e-mail tells it with the number, and both
 * open the order (docs/rules.md, R246).
 * @param extracts those of the purchase: one of a completed order can still be downloaded. @param resends the times of earlier ones.
 */
export const mayResendExtracts = (
	purchase: readonly Order[],
	{ extracts, resends }: { extracts: readonly StoredDocument[]; resends: readonly unknown[] },
): boolean =>
	hasReadableExtract(purchase, extracts) &&
	!mayCorrectAddresses(purchase) &&
	resends.length < maxResends &&
	purchase.every((order) => order.erased_at === null && order.disputed_at === null) &&
	(resends.length > 0 || purchase.every((order) => findRecipient(order) === null));

const hasReadableExtract = (purchase: readonly Order[], extracts: readonly StoredDocument[]): boolean =>
	purchase.some(
		(order) => order.status === "completed" && extracts.some((extract) => extract.order_id === order.id && isDownloadable(order, extract)),
	);

/**
 * Corrects the addresses of an order, and of all others of its purchase (docs/rules.md, R61). The new address gets the confirmation, and
 * the e-mails that the previous one refused; the previous one is told. Earlier tracking links and cookies end with the address that they
 * were signed for. An e-mail that is being sent is sent again by its own job, which compares the addresses under the same lock (decision
 * 0024).
 */
export async function correctAddresses(
	context: Context,
	orderId: string,
	access: AccessKey,
	typed: Addresses,
): Promise<AddressCorrectionOutcome> {
	if (!mayAsk(access, "correct-addresses")) return { ok: false, code: "no-access" };
	if (!isEmail(typed.email)) return { ok: false, code: "invalid-email" };
	if (typed.recipient !== "" && !isEmail(typed.recipient)) return { ok: false, code: "invalid-recipient" };
	return context.db.transaction().execute(async (trx): Promise<AddressCorrectionOutcome> => {
		const locked = await lockOrderWithPurchase(trx, orderId);
		if (locked === null) return { ok: false, code: "too-late" };
		const { order, purchase } = locked;
		const keepsEmail = normalizeEmail(typed.email) === normalizeEmail(order.customer_email);
		const isResending = !mayCorrectAddresses(purchase);
		const ids = purchase.map(({ id }) => id);
		const [extracts, events, mails] = [await listExtracts(trx, ids), await listEvents(trx, order.id), await listMails(trx, ...ids)];
		const mayResend = mayResendExtracts(purchase, { extracts, resends: listResends(events) });
		if (isResending && !(keepsEmail && typed.recipient !== "" && mayResend)) return { ok: false, code: "too-late" };
		const columns = findChanges(order, { purchase, mails, typed, isResending });
		if (Object.keys(columns).length === 0) return { ok: false, code: "unchanged" };
		const taken = await takePoints(context, trx, order, columns);
		if (!taken.ok) return { ok: false, code: "limited", retryAfter: taken.retryAfter };
		const wasOwn = isOwnAddress(events);
		// what follows goes on to the customer's own address until another one of theirs takes its place
		const own = isResending && (typed.own === true || wasOwn || normalizeEmail(typed.recipient) === normalizeEmail(order.customer_email));
		for (const { id } of purchase) {
			await updateOrder(trx, id, columns);
			const payload = isResending ? { resent: true, own } : {};
			await recordEvent(trx, { orderId: id, type: "address_corrected", payload, now: context.now() });
		}
		const corrected = purchase.map((each) => ({ ...each, ...columns }));
		const { customer_email, delivery_email } = columns;
		if (customer_email !== undefined) await writeToNewAddress(context, trx, order, mails);
		if (own) {
			for (const mail of mails) if (bringsExtract(mail, { purchase, extracts })) await requeueMail(context, trx, mail);
			const previous = (wasOwn ? order.delivery_email : null) ?? order.customer_email;
			if (normalizeEmail(previous) !== normalizeEmail(typed.recipient)) await tellPreviousAddress(context, trx, order.id, previous, mails);
		} else if (delivery_email !== undefined && corrected.some((each) => findRecipient(each) !== null))
			await writeToNewRecipient(context, trx, { order, purchase: corrected, isResending }, mails);
		return {
			ok: true,
			order: { ...order, ...columns },
			corrected: isResending ? (own ? "own" : "resent") : nameCorrected(customer_email !== undefined, delivery_email !== undefined),
		};
	});
}

/** Whether an e-mail brings its customer an extract that is still stored. */
function bringsExtract(
	{ kind, order_id }: QueuedMail,
	{ purchase, extracts }: { purchase: readonly Order[]; extracts: readonly StoredDocument[] },
): boolean {
	const order = purchase.find(({ id }) => id === order_id);
	return (
		order !== undefined && getOrderEmail(kind).name === "document-ready" && hasReadableExtract(listOfService(order, purchase), extracts)
	);
}

/** Whether everything that was bought is posted: no second address gets a file. */
export const isPurchaseOfLetters = (purchase: readonly Order[]): boolean => purchase.every(({ product_code }) => isPosted(product_code));

/** Counts a correction for the purchase, and for each mailbox that the orders did not have. */
function takePoints(
	context: Context,
	trx: Trx,
	{ purchase_id }: Order,
	{ customer_email, delivery_email }: ReturnType<typeof findChanges>,
) {
	const mailboxes = [customer_email, delivery_email].flatMap((email) => (email ? [normalizeEmail(email)] : []));
	return takeTogether(
		context,
		trx,
		[
			{ name: "correct-purchase", subject: purchase_id, most: correctionsPerPurchase },
			// in one order, against deadlocks
			...[...new Set(mailboxes)].sort().map((subject) => ({ name: "correct-mailbox", subject, most: correctionsPerMailbox })),
		],
		{ seconds: daySeconds, now: context.now() },
	);
}

const nameCorrected = (email: boolean, recipient: boolean): CorrectedAddresses =>
	email && recipient ? "both" : email ? "email" : "recipient";

/** The columns that differ. The second address stays once its e-mail is sent, unless that is done again, and a purchase of letters has none. */
function findChanges(
	order: Order,
	{
		purchase,
		mails,
		typed: { email, recipient },
		isResending,
	}: { purchase: readonly Order[]; mails: readonly QueuedMail[]; typed: Addresses; isResending: boolean },
) {
	const changes: Partial<Pick<Order, "customer_email" | "delivery_email">> = {};
	if (normalizeEmail(email) !== normalizeEmail(order.customer_email)) changes.customer_email = email;
	const isSent = !isResending && mails.some((mail) => isForRecipient(mail) && mail.sent_at !== null);
	if (isPurchaseOfLetters(purchase) || isSent) return changes;
	if (normalizeEmail(recipient) !== normalizeEmail(order.delivery_email ?? "")) changes.delivery_email = recipient || null;
	return changes;
}

/** Whether an e-mail brings the second address its document or, for several orders, the link to them. */
const isForRecipient = ({ kind }: QueuedMail) => getOrderEmail(kind).name === "document-ready-delivery";

/** Sends the confirmation of the purchase again, with what the previous address refused, and tells the previous address. */
async function writeToNewAddress(
	context: Context,
	trx: Trx,
	{ id: orderId, customer_email }: Order,
	mails: readonly QueuedMail[],
): Promise<void> {
	for (const mail of mails) {
		if (getOrderEmail(mail.kind).to !== "customer") continue;
		// an unsent one goes to the new address by itself
		if (mail.bounced_at !== null || (mail.kind === "confirmation" && mail.sent_at !== null)) await requeueMail(context, trx, mail);
	}
	await tellPreviousAddress(context, trx, orderId, customer_email, mails);
}

async function tellPreviousAddress(
	context: Context,
	trx: Trx,
	orderId: string,
	previous: string,
	mails: readonly QueuedMail[],
): Promise<void> {
	// an order has one notice at most: that of an earlier correction, once it has left, makes room for this one
	const notice = mails.find(({ kind, order_id }) => kind === "address-corrected" && order_id === orderId);
	const isWaiting = notice?.sent_at === null && notice.bounced_at === null;
	if (!isWaiting) await deleteMailsOfKind(trx, orderId, "address-corrected");
	await queueOrderEmail(context, trx, { orderId, kind: "address-corrected", recipient: previous });
}

/** Queues the recipient's e-mail once the extract is there, again when the previous address refused it, or when it is sent again. */
async function writeToNewRecipient(
	context: Context,
	trx: Trx,
	{ order: { id: orderId }, purchase, isResending }: { order: Order; purchase: readonly Order[]; isResending: boolean },
	mails: readonly QueuedMail[],
): Promise<void> {
	const again = mails.filter((mail) => isForRecipient(mail) && (mail.bounced_at !== null || (isResending && mail.sent_at !== null)));
	for (const mail of again) await requeueMail(context, trx, mail);
	// a service that has ended writes once more: to the recipient who is new
	if (purchase.length > 1) for (const { ofService } of groupByService(purchase)) await queueEmailsOfEnd(context, trx, ofService);
	if (again.length > 0) return;
	const extract = await findExtract(trx, orderId);
	const isQueued = mails.some(
		({ kind, order_id, document_id }) => kind === "document-ready" && order_id === orderId && document_id !== null,
	);
	if (extract && isQueued) await queueOrderEmail(context, trx, { orderId, kind: "document-ready-delivery", documentId: extract.id });
}
