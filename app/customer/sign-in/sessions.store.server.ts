import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";

/** All SQL on the schema `customers`, beside better-auth's own. Like better-auth, it reads the clock of the machine. */

const now = sql<Date>`now()`;

/** @param identifier see hashLinkToken. */
export async function hasLink(db: Database, identifier: string): Promise<boolean> {
	const query = db.selectFrom("customers.verification").select("id").where("identifier", "=", identifier).where("expires_at", ">", now);
	return (await query.executeTakeFirst()) !== undefined;
}

/** Deletes the links of a mailbox that were not used. */
export async function deleteLinks(db: Database | Trx, mailbox: string): Promise<void> {
	await db.deleteFrom("customers.verification").where("value", "=", mailbox).execute();
}

/** Inserts a mailbox that has no session yet. @returns its id. */
export async function upsertMailbox(trx: Trx, mailbox: string): Promise<string> {
	const { id } = await trx
		.insertInto("customers.user")
		.values({ email: mailbox, name: "", email_verified: true })
		.onConflict((conflict) => conflict.column("email").doUpdateSet({ updated_at: now }))
		.returning("id")
		.executeTakeFirstOrThrow();
	return id;
}

export interface OpenSession {
	id: string;
	createdAt: Date;
	expiresAt: Date;
	userAgent: string | null;
}

/** The open sessions of a mailbox, the newest first. */
export async function listSessions(db: Database, userId: string): Promise<OpenSession[]> {
	return db
		.selectFrom("customers.session")
		.select(["id", "created_at as createdAt", "expires_at as expiresAt", "user_agent as userAgent"])
		.where("user_id", "=", userId)
		.where("expires_at", ">", now)
		.orderBy("created_at", "desc")
		.orderBy("id")
		.execute();
}

export async function hasOpenSession(db: Database, id: string): Promise<boolean> {
	const query = db.selectFrom("customers.session").select("id").where("id", "=", id).where("expires_at", ">", now);
	return (await query.executeTakeFirst()) !== undefined;
}

export async function deleteSession(db: Database, id: string): Promise<void> {
	await db.deleteFrom("customers.session").where("id", "=", id).execute();
}

/** Ends one session of a mailbox, or all but one. */
export async function endSessions(db: Database, userId: string, which: { id: string } | { allBut: string }): Promise<void> {
	const query = db.deleteFrom("customers.session").where("user_id", "=", userId);
	await ("id" in which ? query.where("id", "=", which.id) : query.where("id", "<>", which.allBut)).execute();
}

/**
 * Deletes what has expired, and mailboxes without a session. A mailbox of the last day stays, because its session may be about to begin.
 * @returns how many sessions and links.
 */
export async function deleteExpiredCustomerSessions(db: Database): Promise<number> {
	const sessions = await db.deleteFrom("customers.session").where("expires_at", "<=", now).executeTakeFirst();
	const links = await db.deleteFrom("customers.verification").where("expires_at", "<=", now).executeTakeFirst();
	await sql`
		delete from customers."user" mailbox where updated_at < now() - interval '1 day'
			and not exists (select from customers.session where user_id = mailbox.id)`.execute(db);
	return Number(sessions.numDeletedRows + links.numDeletedRows);
}

/** Ends all sessions of a person and deletes the mailbox. @returns how many sessions ended. */
export async function deleteCustomerSessionsByEmail(db: Database, email: string): Promise<number> {
	const mailbox = normalizeEmail(email);
	await deleteLinks(db, mailbox);
	const ended = await db
		.deleteFrom("customers.session")
		.where("user_id", "in", (eb) => eb.selectFrom("customers.user").select("id").where("email", "=", mailbox))
		.executeTakeFirst();
	await db.deleteFrom("customers.user").where("email", "=", mailbox).execute();
	return Number(ended.numDeletedRows);
}

/** The sessions of a person, the oldest first. */
export async function listCustomerSessionsByEmail(db: Database, email: string) {
	return db
		.selectFrom("customers.session")
		.innerJoin("customers.user", "customers.user.id", "user_id")
		.select(["customers.session.created_at", "expires_at", "user_agent"])
		.where("email", "=", normalizeEmail(email))
		.orderBy("customers.session.created_at")
		.execute();
}
