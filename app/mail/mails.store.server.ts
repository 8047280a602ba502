import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import type { Mails } from "../../server/database/database-types.gen.ts";
import { prepared } from "../../server/database/dialect.ts";

/** All SQL on `mails`: one row per (order, kind, document, refund, notices), written before the mail is sent. */
export type QueuedMail = Selectable<Mails>;

/** @returns the id of the new row, or null when this e-mail already exists. */
export async function insertMail(
	trx: Trx,
	{
		orderId,
		kind,
		documentId,
		refundId,
		notices = null,
		recipient = null,
		now,
	}: {
		orderId: string;
		kind: string;
		documentId: string | null;
		refundId: string | null;
		/** Sorted. */
		notices?: string[] | null;
		recipient?: string | null | undefined;
		now: Date;
	},
): Promise<string | null> {
	const row = await prepared(trx)
		.insertInto("mails")
		.values({
			id: randomUUID(),
			order_id: orderId,
			kind,
			document_id: documentId,
			refund_id: refundId,
			notices,
			recipient,
			created_at: now,
		})
		.onConflict((conflict) => conflict.doNothing())
		.returning("id")
		.executeTakeFirst();
	return row?.id ?? null;
}

/** Finds an e-mail that is neither sent nor bounced. */
export async function findUnsentMail(db: Database, id: string): Promise<QueuedMail | null> {
	const query = db.selectFrom("mails").selectAll().where("id", "=", id).where("sent_at", "is", null).where("bounced_at", "is", null);
	return (await query.executeTakeFirst()) ?? null;
}

/** Whether an e-mail of these kinds about an order is neither sent nor bounced. */
export async function hasUnsentMail(trx: Trx, orderId: string, kinds: readonly string[]): Promise<boolean> {
	const query = trx.selectFrom("mails").select("id").where("order_id", "=", orderId).where("kind", "=", anyOf(kinds));
	return (await query.where("sent_at", "is", null).where("bounced_at", "is", null).limit(1).executeTakeFirst()) !== undefined;
}

/** Whether an e-mail of these kinds was queued for an order, sent or not. */
export async function wasMailQueued(trx: Trx, orderId: string, kinds: readonly string[]): Promise<boolean> {
	const query = trx.selectFrom("mails").select("id").where("order_id", "=", orderId).where("kind", "=", anyOf(kinds)).limit(1);
	return (await query.executeTakeFirst()) !== undefined;
}

/** @returns false when it was already marked. */
export async function markMailSent(trx: Trx, id: string, now: Date): Promise<boolean> {
	const query = prepared(trx).updateTable("mails").set({ sent_at: now, recipient: null }).where("id", "=", id).where("sent_at", "is", null);
	return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Updates the notices that an e-mail tells. @param notices sorted. */
export async function updateMailNotices(trx: Trx, id: string, notices: string[]): Promise<void> {
	await trx.updateTable("mails").set({ notices }).where("id", "=", id).execute();
}

/** Records the permanent refusal of an e-mail. @returns false when it was already recorded. */
export async function markMailBounced(trx: Trx, id: string, reason: string, now: Date): Promise<boolean> {
	const query = trx
		.updateTable("mails")
		.set({ bounced_at: now, bounce_reason: reason.slice(0, 500), recipient: null })
		.where("id", "=", id)
		.where("bounced_at", "is", null);
	return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Deletes an e-mail, so that a new one can be inserted. */
export async function deleteMail(trx: Trx, id: string): Promise<void> {
	await trx.deleteFrom("mails").where("id", "=", id).execute();
}

/** Deletes an e-mail that no longer applies, unless it is sent or bounced. */
export async function deleteUnsentMail(db: Database | Trx, id: string): Promise<void> {
	await db.deleteFrom("mails").where("id", "=", id).where("sent_at", "is", null).where("bounced_at", "is", null).execute();
}

/** Deletes the e-mails of one kind, so that a new one can be inserted. The order's events still show that they were sent. */
export async function deleteMailsOfKind(trx: Trx, orderId: string, kind: string): Promise<void> {
	await trx.deleteFrom("mails").where("order_id", "=", orderId).where("kind", "=", kind).execute();
}

export async function findMail(db: Database | Trx, id: string): Promise<QueuedMail | null> {
	return (await db.selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** The e-mails of orders, oldest first. */
export async function listMails(db: Database | Trx, ...orderIds: readonly string[]): Promise<QueuedMail[]> {
	return db.selectFrom("mails").selectAll().where("order_id", "=", anyOf(orderIds)).orderBy("created_at").orderBy("id").execute();
}

/**
 * Anonymises the e-mails of these orders: only their kind and their instants stay. Unsent ones are deleted, and those about published
 * notices; sendOrderEmail also drops e-mails to an erased customer.
 */
export async function anonymiseMails(trx: Trx, orderIds: readonly string[]): Promise<void> {
	const isOfOrders = anyOf(orderIds);
	const isDeleted = sql<boolean>`(sent_at is null and bounced_at is null or notices is not null)`;
	await trx.deleteFrom("mails").where("order_id", "=", isOfOrders).where(isDeleted).execute();
	await trx
		.updateTable("mails")
		.set({ bounce_reason: null, recipient: null })
		.where("order_id", "=", isOfOrders)
		.where("bounce_reason", "is not", null)
		.execute();
}

export async function deleteMails(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("mails").where("order_id", "=", anyOf(orderIds)).execute();
}

/** Locks e-mails of this kind until the transaction ends. */
export async function lockMailKind(trx: Trx, kind: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${kind}, 0))`.execute(trx);
}

/** Whether an e-mail of this kind was inserted since an instant, for any order. */
export async function wasMailWrittenSince(trx: Trx, kind: string, since: Date): Promise<boolean> {
	const query = trx.selectFrom("mails").select("id").where("kind", "=", kind).where("created_at", ">=", since).limit(1);
	return (await query.executeTakeFirst()) !== undefined;
}

/**
 * Counts overdue e-mails, with the age of the oldest in seconds, for the metrics. A reminder to pay is due ten minutes after its
 * insertion, and one of thousands about published notices after six hours.
 */
export async function readUnsentMails(trx: Trx, now: Date): Promise<{ unsent: number; age: number }> {
	const { rows } = await sql<{ unsent: number; age: number }>`
		select count(*)::integer as unsent, coalesce(extract(epoch from ${now} - min(due_at)), 0)::float8 as age
		from (
			select created_at + case kind when 'resume' then interval '10 minutes' when 'extract-notices' then interval '6 hours' else interval '0' end as due_at
			from mails where sent_at is null and bounced_at is null
		) as unsent where due_at <= ${now}`.execute(trx);
	return rows[0] ?? { unsent: 0, age: 0 };
}

/** Deletes the e-mails of an order that are not among these, because they were replaced or dropped. */
export async function deleteOtherMails(trx: Trx, orderId: string, keptIds: readonly string[]): Promise<void> {
	await sql`delete from mails where order_id = ${orderId} and id <> all(${keptIds}::uuid[])`.execute(trx);
}
