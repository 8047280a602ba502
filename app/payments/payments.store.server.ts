import { type Selectable, sql } from "kysely";
import { toJson } from "../../server/database/column-types.ts";
import { anyOf, type Database, literals, type Trx } from "../../server/database/database.ts";
import type { PaymentAttempts, PaymentSessions } from "../../server/database/database-types.gen.ts";
import { prepared } from "../../server/database/dialect.ts";
import type { CopyState } from "../orders/copies/read-copy.server.ts";
import type { PaymentSession } from "./provider.ts";

/**
 * All SQL on `payment_attempts`, `payment_sessions`, `payment_events` and `reconciliations`. Attempts and sessions are those of a purchase:
 * their `order_id` is its first order, whose id is the purchase's.
 */
export type Attempt = Selectable<PaymentAttempts>;
export type RecordedSession = Selectable<PaymentSessions>;

/**
 * The attempt to open a session for a purchase without an open one. It is the last attempt if the provider never answered it and enough
 * time is left to pay, so that the request is repeated under the same key; otherwise a new attempt.
 */
export async function nextAttempt(
	trx: Trx,
	purchaseId: string,
	{ enoughTime, ...terms }: AttemptTerms & { enoughTime: Date },
): Promise<Attempt> {
	const last = await trx
		.selectFrom("payment_attempts")
		.selectAll()
		.where("order_id", "=", purchaseId)
		.orderBy("attempt", "desc")
		.limit(1)
		.executeTakeFirst();
	if (last && last.answered_at === null && last.expires_at > enoughTime) return last;
	return insertAttempt(trx, purchaseId, (last?.attempt ?? 0) + 1, terms);
}

export interface AttemptTerms {
	now: Date;
	expiresAt: Date;
	/** The hash of a client. */
	openedBy: string | null;
}

export async function insertAttempt(
	trx: Trx,
	purchaseId: string,
	attempt: number,
	{ now, expiresAt, openedBy }: AttemptTerms,
): Promise<Attempt> {
	const attemptRow = { order_id: purchaseId, attempt, created_at: now, expires_at: expiresAt, opened_by: openedBy };
	await prepared(trx).insertInto("payment_attempts").values(attemptRow).execute();
	return { ...attemptRow, answered_at: null };
}

/** Marks an attempt as answered, and clears whose the attempts of its purchase are, as clearClientsOfAttempts does. */
export async function markAttemptAnswered(trx: Trx, { order_id, attempt }: Attempt, now: Date): Promise<void> {
	await prepared(trx)
		.updateTable("payment_attempts")
		.set({ opened_by: null, answered_at: sql`case when attempt = ${attempt} then ${now}::timestamptz else answered_at end` })
		.where("order_id", "=", order_id)
		.execute();
}

/** Clears whose the attempts of a purchase are. It counts while the provider has not answered; a session has it from then on. */
export async function clearClientsOfAttempts(trx: Trx, purchaseId: string): Promise<void> {
	await trx.updateTable("payment_attempts").set({ opened_by: null }).where("order_id", "=", purchaseId).execute();
}

/** Inserts a session of a purchase; does nothing when it is already there. @param openedBy the hash of a client. */
export async function insertSession(
	db: Database | Trx,
	purchaseId: string,
	session: PaymentSession,
	{ openedBy, now }: { openedBy: string | null; now: Date },
): Promise<void> {
	await prepared(db)
		.insertInto("payment_sessions")
		.values({
			id: session.id,
			order_id: purchaseId,
			url: session.url,
			status: session.status,
			payment_id: session.paymentId,
			opened_by: session.status === "open" ? openedBy : null,
			created_at: now,
			expires_at: session.expiresAt,
		})
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

/** A purchase's sessions, newest first. */
export async function listSessions(db: Database | Trx, purchaseId: string): Promise<RecordedSession[]> {
	return db.selectFrom("payment_sessions").selectAll().where("order_id", "=", purchaseId).orderBy("created_at", "desc").execute();
}

export async function findRecordedSession(db: Database | Trx, id: string): Promise<RecordedSession | null> {
	return (await db.selectFrom("payment_sessions").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Expires a recorded session. @returns false when it has expired before, or is complete: a complete session stays complete. */
export async function expireSession(trx: Trx, id: string): Promise<boolean> {
	const { numUpdatedRows } = await trx
		.updateTable("payment_sessions")
		.set({ status: "expired", opened_by: null })
		.where("id", "=", id)
		.where("status", "not in", ["expired", "complete"])
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Records a paid session as complete with its payment, also one that is not recorded yet, or has expired here. */
export async function completeSession(trx: Trx, purchaseId: string, session: PaymentSession, now: Date): Promise<void> {
	const completed = { status: "complete", opened_by: null, payment_id: session.paymentId } as const;
	await prepared(trx)
		.insertInto("payment_sessions")
		.values({ id: session.id, order_id: purchaseId, url: session.url, created_at: now, expires_at: session.expiresAt, ...completed })
		.onConflict((conflict) => conflict.column("id").doUpdateSet(completed).where("payment_sessions.status", "<>", "complete"))
		.execute();
}

/** Records an event as handled, in the transaction that handles it. @returns false when it was handled before. */
export async function recordPaymentEvent(trx: Trx, id: string, type: string, now: Date): Promise<boolean> {
	const inserted = await prepared(trx)
		.insertInto("payment_events")
		.values({ id, event_type: type, handled_at: now })
		.onConflict((conflict) => conflict.column("id").doNothing())
		.returning("id")
		.executeTakeFirst();
	return inserted !== undefined;
}

/** How long a payment may stay unknown when its event is lost: express is promised within two hours. */
const firstQuestionMinutes = 2;

/**
 * Claims open sessions to ask the provider about. A session is due two minutes after it opened, and again after half of its age (an hour
 * at most); it is due within a minute once it has expired or its order is no longer pending.
 * Clients and mailboxes with few open sessions come first, then the oldest: a flood of orders delays nobody else.
 */
export async function claimSessionsToSync(db: Database, now: Date, limit: number): Promise<{ id: string; orderIsPending: boolean }[]> {
	const { rows } = await sql<{ id: string; waits: boolean }>`
		with open_session as (
			select session.id, session.created_at, session.asked_at, session.expires_at, orders.status = 'pending' as waits,
				greatest(
					count(*) over (partition by coalesce(session.opened_by, session.id)),
					count(*) over (partition by lower(orders.customer_email))
				) as siblings
			from payment_sessions session join orders on orders.id = session.order_id
			where session.status = 'open'
		), due as (
			select id, waits from open_session
			where waits and created_at < ${now}::timestamptz - make_interval(mins => ${firstQuestionMinutes})
					and coalesce(asked_at, created_at) < ${now}::timestamptz - least((${now}::timestamptz - created_at) / 2, interval '1 hour')
				or (expires_at <= ${now} or not waits) and coalesce(asked_at, created_at) < ${now}::timestamptz - interval '1 minute'
			order by siblings, created_at
			limit ${limit}
		)
		update payment_sessions set asked_at = ${now} from due where payment_sessions.id = due.id
		returning due.id, due.waits
	`.execute(db);
	return rows.map(({ id, waits }) => ({ id, orderIsPending: waits }));
}

/** Events that announce a payment. Source: docs.stripe.com/payments/checkout/fulfill-orders. */
const paidEvents = ["checkout.session.completed", "checkout.session.async_payment_succeeded"] as const;

/**
 * Counts the payments of a day that the shop found only because it asked: made over ten minutes ago, and more than a minute after the last
 * event that announced one. The next event makes it 0 again, so that one lost event among others counts for nothing.
 */
export async function countUnannounced(db: Database | Trx, now: Date): Promise<number> {
	const { rows } = await sql<{ payments: number }>`
		select count(*)::integer as payments from payments
		where created_at between ${now}::timestamptz - interval '1 day' and ${now}::timestamptz - interval '10 minutes'
			and created_at > all (
				select handled_at + interval '1 minute' from payment_events
				where event_type in (${literals(paidEvents)}) order by handled_at desc limit 1)
	`.execute(db);
	return rows[0]?.payments ?? 0;
}

/**
 * Claims a session to ask the provider about it for a page, unless another page has within the pause.
 * @param pause in milliseconds.
 * @returns `failed`: the provider did not answer that other page.
 */
export async function claimRefresh(
	db: Database,
	id: string,
	{ now, pause }: { now: Date; pause: number },
): Promise<{ claimed: true } | { claimed: false; failed: boolean }> {
	const { numUpdatedRows } = await db
		.updateTable("payment_sessions")
		.set({ refreshed_at: now, refresh_failed: false })
		.where("id", "=", id)
		// a clock that was put back must not close the session for good
		.where((eb) =>
			eb.or([
				eb("refreshed_at", "is", null),
				eb("refreshed_at", "<=", new Date(now.getTime() - pause)),
				eb("refreshed_at", ">", new Date(now.getTime() + pause)),
			]),
		)
		.executeTakeFirst();
	if (numUpdatedRows > 0n) return { claimed: true };
	return { claimed: false, failed: (await findRecordedSession(db, id))?.refresh_failed === true };
}

/** Records that the provider did not answer the page that claimed a session. */
export async function markRefreshFailed(db: Database, id: string): Promise<void> {
	await db.updateTable("payment_sessions").set({ refresh_failed: true }).where("id", "=", id).execute();
}

/** Pending purchases placed before `before` that have no open session, because the provider was unavailable. */
export async function listPurchasesWithoutSession(db: Database, before: Date, limit: number): Promise<{ id: string; created_at: Date }[]> {
	return db
		.selectFrom("orders")
		.select(["id", "created_at"])
		.where("status", "=", "pending")
		.whereRef("id", "=", "purchase_id")
		.where("set_aside_at", "is", null)
		.where("created_at", "<", before)
		.where(({ not, exists, selectFrom }) =>
			not(exists(selectFrom("payment_sessions").select("id").whereRef("order_id", "=", "orders.id").where("status", "=", "open"))),
		)
		.orderBy("created_at")
		.limit(limit)
		.execute();
}

export interface Difference {
	paymentId: string;
	/** Of the first order of the purchase. */
	orderId: string | null;
	/** What differs: missing on one side, or the amount captured or refunded, in cents. */
	what: "missing-here" | "missing-there" | "amount" | "refunded";
	here: number | null;
	there: number | null;
	/** How the orders of the purchase compare with their copies, where a copy may explain the difference. */
	copy?: CopyState | "unavailable" | undefined;
}

declare module "../../server/database/column-types.ts" {
	interface ColumnTypes {
		"reconciliations.differences": Difference[];
	}
}

export async function insertReconciliation(
	db: Database,
	report: { since: Date; until: Date; compared: number; differences: Difference[]; now: Date },
): Promise<void> {
	await db
		.insertInto("reconciliations")
		.values({
			since: report.since,
			until: report.until,
			compared: report.compared,
			differences: toJson(report.differences),
			created_at: report.now,
		})
		.execute();
}

/** Filters these purchases: those with an open session. */
export async function listPurchasesWithOpenSession(trx: Trx, purchaseIds: readonly string[]): Promise<string[]> {
	const query = trx
		.selectFrom("payment_sessions")
		.select("order_id")
		.where("order_id", "=", anyOf(purchaseIds))
		.where("status", "=", "open");
	return (await query.execute()).map(({ order_id }) => order_id);
}

/** Deletes the sessions and attempts of orders; their payments stay. */
export async function deleteSessions(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("payment_sessions").where("order_id", "=", anyOf(orderIds)).execute();
	await trx.deleteFrom("payment_attempts").where("order_id", "=", anyOf(orderIds)).execute();
}

/** Deletes handled events and reconciliations recorded before `before`. @returns how many of both. */
export async function deletePaymentLogs(db: Database, before: Date): Promise<number> {
	const events = await db.deleteFrom("payment_events").where("handled_at", "<", before).executeTakeFirst();
	const comparisons = await db.deleteFrom("reconciliations").where("created_at", "<", before).executeTakeFirst();
	return Number(events.numDeletedRows + comparisons.numDeletedRows);
}
