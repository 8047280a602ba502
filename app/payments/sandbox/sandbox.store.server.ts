import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { anyOf, type Database, literals, type Trx } from "../../../server/database/database.ts";
import type { SandboxDisputes, SandboxEvents, SandboxRefunds, SandboxSessions } from "../../../server/database/database-types.gen.ts";
import { inProgressStatuses } from "../../orders/lifecycle.ts";
import type { SessionRequest } from "../provider.ts";

/** All SQL on the schema `sandbox`: the records that a real provider has on its side. */

export type SandboxSession = Selectable<SandboxSessions>;
export type SandboxRefund = Selectable<SandboxRefunds>;
export type SandboxDispute = Selectable<SandboxDisputes>;

const newId = (prefix: string) => `${prefix}_test_${randomBytes(12).toString("hex")}`;

/** Inserts a session. @returns it, or the session that already has this id. */
export async function insertSandboxSession(db: Database, id: string, request: SessionRequest, now: Date): Promise<SandboxSession> {
	await db
		.insertInto("sandbox.sessions")
		.values({
			id,
			client_reference_id: request.purchaseId,
			amount_total: request.amount,
			currency: "eur",
			product_name: request.productName,
			customer_email: request.customerEmail,
			success_url: request.successUrl,
			cancel_url: request.cancelUrl,
			status: "open",
			payment_status: "unpaid",
			payment_intent: newId("pi"),
			created_at: now,
			expires_at: request.expiresAt,
		})
		.onConflict((conflict) => conflict.column("id").doNothing())
		.execute();
	return db.selectFrom("sandbox.sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

export async function findSandboxSession(db: Database, id: string): Promise<SandboxSession | null> {
	return (await db.selectFrom("sandbox.sessions").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Marks an open session paid. @returns null when it is no longer open. */
export async function paySandboxSession(trx: Trx, id: string, now: Date): Promise<SandboxSession | null> {
	return closeSandboxSession(trx, id, { status: "complete", payment_status: "paid", paid_at: now }, now);
}

/** Marks an open session expired. @returns null when it is no longer open. */
export async function expireSandboxSession(trx: Trx, id: string, now: Date): Promise<SandboxSession | null> {
	return closeSandboxSession(trx, id, { status: "expired" }, now);
}

async function closeSandboxSession(
	trx: Trx,
	id: string,
	change: { status: "complete" | "expired"; payment_status?: "paid"; paid_at?: Date },
	now: Date,
): Promise<SandboxSession | null> {
	const row = await trx
		.updateTable("sandbox.sessions")
		.set(change)
		.where("id", "=", id)
		.where("status", "=", "open")
		.where("expires_at", ">", now)
		.returningAll()
		.executeTakeFirst();
	return row ?? null;
}

const selectPaidSession = (db: Database | Trx, id: string) =>
	db.selectFrom("sandbox.sessions").selectAll().where("payment_intent", "=", id).where("payment_status", "=", "paid");

/** Finds the paid session of a payment. */
export async function findSandboxPayment(db: Database, id: string): Promise<SandboxSession | null> {
	return (await selectPaidSession(db, id).executeTakeFirst()) ?? null;
}

/** Finds the paid session of a payment, and locks it until the transaction ends. */
export async function lockSandboxPayment(trx: Trx, id: string): Promise<SandboxSession | null> {
	return (await selectPaidSession(trx, id).forUpdate().executeTakeFirst()) ?? null;
}

/** Sessions paid in [since, until), each with its refunded cents. */
export async function listSandboxPayments(db: Database, since: Date, until: Date): Promise<(SandboxSession & { refunded: number })[]> {
	const paidAt = sql<Date>`coalesce(paid_at, sandbox.sessions.created_at)`;
	return db
		.selectFrom("sandbox.sessions")
		.selectAll()
		.select((eb) =>
			eb
				.selectFrom("sandbox.refunds")
				.whereRef("sandbox.refunds.payment_intent", "=", "sandbox.sessions.payment_intent")
				.where("sandbox.refunds.status", "<>", "failed")
				.select(sql<number>`coalesce(sum(amount), 0)::integer`.as("refunded"))
				.$asScalar()
				.$notNull()
				.as("refunded"),
		)
		.where("payment_status", "=", "paid")
		.where(paidAt, ">=", since)
		.where(paidAt, "<", until)
		.execute();
}

/** A payment's refunds, newest first. */
export async function listSandboxRefunds(db: Database, paymentId: string): Promise<SandboxRefund[]> {
	return db.selectFrom("sandbox.refunds").selectAll().where("payment_intent", "=", paymentId).orderBy("created_at", "desc").execute();
}

export async function findSandboxRefund(db: Database, key: string): Promise<SandboxRefund | null> {
	return (await db.selectFrom("sandbox.refunds").selectAll().where("idempotency_key", "=", key).executeTakeFirst()) ?? null;
}

export async function insertSandboxRefund(
	trx: Trx,
	refund: { paymentId: string; amount: number; key: string; reference: string },
	now: Date,
): Promise<SandboxRefund> {
	return trx
		.insertInto("sandbox.refunds")
		.values({
			id: newId("re"),
			payment_intent: refund.paymentId,
			idempotency_key: refund.key,
			amount: refund.amount,
			reference: refund.reference,
			status: "succeeded",
			created_at: now,
		})
		.returningAll()
		.executeTakeFirstOrThrow();
}

export async function findSandboxDispute(db: Database, paymentId: string): Promise<SandboxDispute | null> {
	return (await db.selectFrom("sandbox.disputes").selectAll().where("payment_intent", "=", paymentId).executeTakeFirst()) ?? null;
}

/** What moved the sandbox's balance: payments, refunds and disputes, oldest first. */
export async function listSandboxFacts(db: Database): Promise<SandboxFact[]> {
	const { rows } = await sql<SandboxFact>`
		select * from (
			select 'charge' as kind, id, payment_intent as "paymentId", amount_total as amount, coalesce(paid_at, created_at) as at
				from sandbox.sessions where payment_status = 'paid'
			union all
			select 'refund', id, payment_intent, -amount, created_at from sandbox.refunds where status = 'succeeded'
			union all
			select kind, dispute.id, dispute.payment_intent, sign * amount_total, dispute.created_at + delay
				from sandbox.disputes dispute join sandbox.sessions session on session.payment_intent = dispute.payment_intent
				join (values ('dispute', -1, interval '0'), ('dispute-won', 1, interval '1 second')) part (kind, sign, delay)
					on part.kind = 'dispute' or dispute.status = 'won'
		) fact order by at, id, kind`.execute(db);
	return rows;
}

export interface SandboxFact {
	kind: "charge" | "refund" | "dispute" | "dispute-won";
	id: string;
	paymentId: string;
	/** Cents, positive when the balance rises. */
	amount: number;
	at: Date;
}

/** @returns the event's id. */
export async function insertSandboxEvent(
	trx: Trx,
	type: string,
	subject: { session: string } | { payment: string },
	now: Date,
): Promise<string> {
	const id = newId("evt");
	const about = "session" in subject ? { session_id: subject.session } : { payment_intent: subject.payment };
	await trx
		.insertInto("sandbox.events")
		.values({ id, type, ...about, created_at: now })
		.execute();
	return id;
}

export async function findSandboxEvent(db: Database, id: string): Promise<Selectable<SandboxEvents> | null> {
	return (await db.selectFrom("sandbox.events").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Deletes sessions created before `before`, with all that belongs to them, except those of orders in progress. @returns how many. */
export async function deleteOldSandboxRecords(db: Database, before: Date): Promise<number> {
	return db.transaction().execute(async (trx) => {
		const { rows } = await sql<{ id: string; payment_intent: string | null }>`
			select id, payment_intent from sandbox.sessions where created_at < ${before} and not exists (
				select from orders where orders.id::text = client_reference_id and orders.status in (${literals(inProgressStatuses)}))`.execute(
			trx,
		);
		if (rows.length === 0) return 0;
		const sessions = rows.map(({ id }) => id);
		const payments = rows.map(({ payment_intent }) => payment_intent);
		await sql`delete from sandbox.events where session_id = any(${sessions}) or payment_intent = any(${payments})`.execute(trx);
		await sql`delete from sandbox.refunds where payment_intent = any(${payments})`.execute(trx);
		await sql`delete from sandbox.disputes where payment_intent = any(${payments})`.execute(trx);
		await sql`delete from sandbox.sessions where id = any(${sessions})`.execute(trx);
		return rows.length;
	});
}

/** Blanks the customers' e-mail addresses in the sessions of erased orders. */
export async function anonymiseSandboxCustomers(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.updateTable("sandbox.sessions").set({ customer_email: "" }).where("client_reference_id", "=", anyOf(orderIds)).execute();
}
