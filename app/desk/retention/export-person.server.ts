import type { Database } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { listFormsByEmail } from "../../checkout/form/order-forms.server.ts";
import { listAlertMailsByEmail } from "../../companies/alerts/alert-mails.store.server.ts";
import { listAlertsByEmail } from "../../companies/alerts/alerts.store.server.ts";
import { listContactsByEmail } from "../../customer/contact/contact.store.server.ts";
import { listShareOpenings, listShares } from "../../customer/sharing/shares.store.server.ts";
import { listCustomerSessionsByEmail } from "../../customer/sign-in/sessions.store.server.ts";
import { listConversationsByEmail } from "../../emails/messages/conversations.store.server.ts";
import { listSubscriptionsByEmail } from "../../emails/newsletter/subscriptions.store.server.ts";
import { getOrderEmail } from "../../emails/order-emails.server.ts";
import { listMails, type QueuedMail } from "../../mail/mails.store.server.ts";
import { findSentEmail, listEmailsNaming } from "../../mail/sent-emails.store.server.ts";
import { toPublicPayload } from "../../orders/event-payloads.ts";
import { listInvoicesOfMailbox } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { type OrderFile, readOrderFile } from "./order-file.server.ts";
import { listOrdersByEmail } from "./retention.store.server.ts";

export type PersonalData = Awaited<ReturnType<typeof exportPerson>>;

/**
 * Exports all stored data of a person (GDPR, articles 15 and 20), found by e-mail, ignoring case and blanks.
 * For an order of another customer that was delivered to this person, exports only the delivery.
 */
export async function exportPerson(context: Pick<Context, "db" | "environment">, email: string) {
	const { db } = context;
	const { made, received } = await listOrdersByEmail(db, email);
	const orders = [];
	const invoices = await listInvoicesOfMailbox(context, email);
	const addInvoices = (more: typeof invoices) => invoices.push(...more.filter(({ id }) => invoices.every((invoice) => invoice.id !== id)));
	for (const order of made) {
		const file = await readOrderFile(db, order);
		orders.push({ ...toPersonalData(file), sent_emails: await readSentEmails(db, file), shares: await readShares(db, order.id) });
		addInvoices(file.invoices);
	}
	const deliveries = [];
	for (const order of received) {
		const { order_number, siren, company_name, delivery_email, completed_at } = order;
		const mails = filterRecipientMails(await listMails(db, order.id)).map(withoutIds);
		deliveries.push({ order_number, siren, company_name, delivery_email, completed_at, mails });
	}
	const known = new Set([...made, ...received].map(({ id }) => id));
	const newsletter = await listSubscriptionsByEmail(db, email);
	return {
		email: email.trim(),
		orders,
		deliveries,
		// about orders of others, from which this address was removed since
		other_emails: (await listEmailsNaming(db, email))
			.filter(({ orderId }) => !known.has(orderId))
			.map(({ kind, sentAt }) => ({ kind, sent_at: sentAt })),
		order_forms: await listFormsByEmail(db, email),
		invoices: invoices.map(({ data }) => data),
		...(await listContactsByEmail(db, email)),
		conversations: (await listConversationsByEmail(db, email)).map(({ subject, messages }) => ({
			subject,
			// a reply names no operator
			messages: messages.map(({ direction, author, text, attachments, created_at }) => ({
				from: direction === "in" ? author : null,
				text,
				attachments,
				created_at,
			})),
		})),
		newsletter,
		company_alerts: await listAlertsByEmail(db, email),
		company_alert_mails: await listAlertMailsByEmail(db, email),
		customer_sessions: await listCustomerSessionsByEmail(db, email),
	};
}

/** Leaves out internal data, such as hashes and storage paths. */
function toPersonalData({ order, events, payments, refunds, documents, mails, refundRequests, withdrawal, notes }: OrderFile) {
	const { idempotency_key, request_hash, ...columns } = order;
	return {
		...columns,
		// without the operator's name and reason
		events: events.map(({ event_type, payload, created_at }) => ({
			event_type,
			payload: toPublicPayload(event_type, payload),
			created_at,
		})),
		payments: payments.map(({ id, amount_cents, currency, created_at }) => ({ id, amount_cents, currency, created_at })),
		// the operator's note stays in the shop (docs/rules.md, R95)
		refunds: refunds.map(({ amount_cents, reason, status, requested_at, settled_at }) => ({
			amount_cents,
			reason,
			status,
			requested_at,
			settled_at,
		})),
		documents: documents.map(({ storage_path, order_id, replaced_because, ...document }) => document),
		mails: mails.map(withoutIds),
		refund_requests: refundRequests.map(({ message, created_at, decided_at, granted, answer }) => ({
			message,
			created_at,
			decided_at,
			granted,
			answer,
		})),
		withdrawal: withdrawal && { declared_at: withdrawal.declared_at, outcome: withdrawal.outcome, reason: withdrawal.reason },
		notes: notes.map(({ text, created_at }) => ({ text, created_at })),
	};
}

const withoutIds = ({ kind, created_at, sent_at, bounced_at, bounce_reason, notices }: OrderFile["mails"][number]) => ({
	kind,
	created_at,
	sent_at,
	bounced_at,
	bounce_reason,
	/** Of the bulletin, such as « B202601212014 ». */
	...(notices && { notices }),
});

/** The links to documents of an order, with the days on which readers opened them. */
async function readShares(db: Database, orderId: string) {
	const openings = await listShareOpenings(db, orderId);
	return (await listShares(db, orderId)).map(({ id, label, sender, purpose, created_at, expires_at, revoked_at }) => ({
		label,
		sender,
		purpose,
		created_at,
		expires_at,
		revoked_at,
		openings: openings.filter(({ share_id }) => share_id === id).map(({ share_id, ...opening }) => opening),
	}));
}

/** The e-mails about a person's order as they left. Alerts to the operator say nothing of a person. */
async function readSentEmails(db: Database, { sentEmails }: OrderFile) {
	const read = [];
	for (const { mailId, kind, sentAt, bouncedAt, recipient, attachments } of sentEmails) {
		const email = getOrderEmail(kind).to === "operator" ? null : await findSentEmail(db, mailId);
		const files = attachments.map(({ name, bytes }) => ({ name, bytes }));
		const instants = { sent_at: sentAt, bounced_at: bouncedAt };
		if (email) read.push({ kind, ...instants, recipient, subject: email.subject, text: email.text, attachments: files });
	}
	return read;
}

/** The e-mails of an order that went to its second recipient. */
const filterRecipientMails = (mails: readonly QueuedMail[]): QueuedMail[] =>
	mails.filter(({ kind }) => getOrderEmail(kind).to === "delivery");
