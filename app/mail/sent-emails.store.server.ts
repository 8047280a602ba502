import { type Selectable, sql } from "kysely";
import { toJson } from "../../server/database/column-types.ts";
import type { Database, Trx } from "../../server/database/database.ts";
import type { SentEmails } from "../../server/database/database-types.gen.ts";
import { prepared } from "../../server/database/dialect.ts";
import { normalizeEmail } from "./normalize-email.ts";
import { type EmailText, packContent, unpackContent } from "./pack-content.server.ts";

/** All SQL on `sent_emails`: each e-mail about an order as it left. */

export interface SentFile {
	name: string;
	bytes: number;
	sha256: string;
}

declare module "../../server/database/column-types.ts" {
	interface ColumnTypes {
		"sent_emails.attachments": SentFile[];
	}
}

/** A sent e-mail without its text. */
export interface SentEmailRow {
	mailId: string;
	orderId: string;
	kind: string;
	sentAt: Date;
	bouncedAt: Date | null;
	/** Null once its owner is erased. */
	recipient: string | null;
	attachments: SentFile[];
}

export type SentEmail = SentEmailRow & EmailText;

/**
 * @param content packed by `packContent`, without anything that opens the order.
 * @param addresses of customers and recipients that the e-mail went to or names.
 */
export async function insertSentEmail(
	trx: Trx,
	{
		mailId,
		orderId,
		kind,
		sentAt,
		recipient,
		attachments,
		addresses,
		content,
	}: Omit<SentEmailRow, "bouncedAt"> & { addresses: string[]; content: Buffer },
): Promise<void> {
	const row = { mail_id: mailId, order_id: orderId, kind, sent_at: sentAt, recipient, content };
	await prepared(trx)
		.insertInto("sent_emails")
		.values({ ...row, addresses: [...new Set(addresses.map(normalizeEmail))], attachments: toJson(attachments) })
		.execute();
}

/** Records that an e-mail came back. @returns false when it never left, or was recorded before. */
export async function markSentEmailBounced(trx: Trx, mailId: string, now: Date): Promise<boolean> {
	const query = trx.updateTable("sent_emails").set({ bounced_at: now }).where("mail_id", "=", mailId).where("bounced_at", "is", null);
	return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

const columns = ["mail_id", "order_id", "kind", "sent_at", "bounced_at", "recipient", "attachments"] as const;

const toRow = (row: Pick<Selectable<SentEmails>, (typeof columns)[number]>) => ({
	mailId: row.mail_id,
	orderId: row.order_id,
	kind: row.kind,
	sentAt: row.sent_at,
	bouncedAt: row.bounced_at,
	recipient: row.recipient,
	attachments: row.attachments,
});

/** @returns null for an e-mail that has not left. */
export async function findSentEmail(db: Database | Trx, mailId: string): Promise<SentEmail | null> {
	const row = await db.selectFrom("sent_emails").selectAll().where("mail_id", "=", mailId).executeTakeFirst();
	return row ? { ...toRow(row), ...(await unpackContent(row.content)) } : null;
}

/** The e-mails of an order as they left, oldest first. */
export async function listSentEmails(db: Database | Trx, orderId: string): Promise<SentEmailRow[]> {
	const query = db.selectFrom("sent_emails").select(columns).where("order_id", "=", orderId);
	return (await query.orderBy("sent_at").orderBy("mail_id").execute()).map(toRow);
}

const hasAddress = (email: string) => sql<boolean>`addresses @> array[${normalizeEmail(email)}]`;

/** The e-mails that went to this address or name it, of any order, oldest first. */
export async function listEmailsNaming(db: Database | Trx, email: string): Promise<SentEmailRow[]> {
	const query = db.selectFrom("sent_emails").select(columns).where(hasAddress(email));
	return (await query.orderBy("sent_at").orderBy("mail_id").execute()).map(toRow);
}

/** The e-mails that left for this address since an instant, newest first, with their subjects. */
export async function listRecentEmailsTo(
	trx: Trx,
	{ email, since, limit }: { email: string; since: Date; limit: number },
): Promise<{ mailId: string; sentAt: Date; subject: string }[]> {
	const query = trx.selectFrom("sent_emails").select(["mail_id", "sent_at", "recipient", "content"]).where(hasAddress(email));
	const rows = await query.where("sent_at", ">=", since).where("bounced_at", "is", null).orderBy("sent_at", "desc").limit(limit).execute();
	const sent = rows.filter(({ recipient }) => recipient !== null && normalizeEmail(recipient) === normalizeEmail(email));
	return Promise.all(
		sent.map(async ({ mail_id, sent_at, content }) => ({
			mailId: mail_id,
			sentAt: sent_at,
			subject: (await unpackContent(content)).subject,
		})),
	);
}

/**
 * Takes an address out of the e-mails that went to it or name it. The rest of an e-mail belongs to the customer of its order.
 * @param keptOrders whose e-mails stay as they are.
 * @returns the number of changed e-mails.
 */
export async function anonymiseAddress(trx: Trx, email: string, keptOrders: readonly string[]): Promise<number> {
	const address = normalizeEmail(email);
	const query = trx.selectFrom("sent_emails").selectAll().where(hasAddress(email));
	const rows = (await query.orderBy("mail_id").forUpdate().execute()).filter(({ order_id }) => !keptOrders.includes(order_id));
	for (const { mail_id, recipient, addresses, content } of rows)
		await trx
			.updateTable("sent_emails")
			.set({
				recipient: recipient !== null && normalizeEmail(recipient) === address ? null : recipient,
				addresses: addresses.filter((each) => each !== address),
				content: await packContent(replaceAddress(await unpackContent(content), address)),
			})
			.where("mail_id", "=", mail_id)
			.execute();
	return rows.length;
}

const erasedAddress = "[adresse effacée]";

/** Not a character of an address (RFC 5322, section 3.2.3), also as HTML. */
const beforeAddress = "(?<![\\w.!#$%&'*+/=?^`{|}~-]|&#x27;|&amp;)";

/** Replaces an address in an e-mail as it left, in any case of its letters, but not the end or the beginning of another one. */
export function replaceAddress({ subject, text, html }: EmailText, address: string): EmailText {
	const escapeHtml = (plain: string) => plain.replaceAll("&", "&amp;").replaceAll("'", "&#x27;");
	const escapePattern = (plain: string) => plain.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
	const replace = (content: string, searched: string) =>
		content.replace(new RegExp(`${beforeAddress}${escapePattern(searched)}(?![\\w-]|\\.\\w)`, "gi"), erasedAddress);
	return { subject: replace(subject, address), text: replace(text, address), html: replace(html, escapeHtml(address)) };
}
