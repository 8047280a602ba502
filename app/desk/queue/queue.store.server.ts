import { type RawBuilder, sql } from "kysely";
import { type Database, literals } from "../../../server/database/database.ts";
import { day } from "../../../server/durations.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { listRowKindsTo } from "../../emails/order-emails.server.ts";
import { dueAt, isBlocked, isNextToServe, isNotExpress, isOpen, isToServe } from "../../fulfilment/claims/to-serve.server.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";
import type { WaitingReason } from "./queue-lists.ts";

/** SQL of the queue. Nothing of a customer but their reference of the order: the order's page shows name and addresses. */

interface ListedOrder {
	id: string;
	order_number: OrderNumber;
	product_code: ServiceCode;
	company_name: string;
	siren: string;
	reference: string | null;
	purchase_id: string;
	purchase_line: number;
	late_at: Date | null;
	/** When the registry was asked for the extract (docs/rules.md, R204). */
	extract_requested_at: Date | null;
	/** Who has the order; null when nobody has. */
	operator_id: string | null;
	operator_name: string | null;
	expires_at: Date | null;
}

export interface OrderToServe extends ListedOrder {
	due_at: Date;
}

export interface WaitingOrder extends ListedOrder {
	reason: WaitingReason;
	since: Date;
}

/** A page of a list: at most `limit` rows after a cursor, which the row before it gave. */
export interface Page {
	after: Cursor | null;
	limit: number;
}

/** Where a row stands in its list: its instant to the microsecond, its rank among those of the same instant, its order. */
export interface Cursor {
	instant: string;
	rank: string;
	id: string;
}

interface Cursors {
	cursor_instant: string;
	cursor_rank: string;
}

const columns = sql`orders.id, orders.order_number, orders.product_code, orders.company_name, orders.siren, orders.late_at, orders.extract_requested_at,
	orders.reference, orders.purchase_id, orders.purchase_line,
	order_claims.operator_id, order_claims.operator_name, order_claims.expires_at`;

const joinClaims = (now: Date) => sql`left join order_claims on order_claims.order_id = orders.id and order_claims.expires_at > ${now}`;

const dueCursor = sql`${dueAt}::text as cursor_instant, ${isNotExpress}::text as cursor_rank`;

const afterDue = (after: Cursor | null) =>
	after === null
		? sql``
		: sql`and (${dueAt}, ${isNotExpress}, orders.id) > (${after.instant}::timestamptz, ${after.rank}::boolean, ${after.id}::uuid)`;

/** Orders that wait for their extract, the most pressing first. */
export async function listOrdersToServe(
	db: Database,
	{ services, now, after, limit }: Page & { services: readonly ServiceCode[]; now: Date },
): Promise<(OrderToServe & Cursors)[]> {
	const { rows } = await sql<OrderToServe & Cursors>`
		select ${columns}, ${dueAt} as due_at, ${dueCursor}
		from orders ${joinClaims(now)}
		where ${isNextToServe} and orders.product_code in (${literals(services)}) ${afterDue(after)}
		order by ${dueAt}, ${isNotExpress}, orders.id limit ${limit}`.execute(db);
	return rows;
}

/** Letters whose extract is there and that are not posted, the most pressing first. */
export async function listOrdersToPost(db: Database, { now, after, limit }: Page & { now: Date }): Promise<(OrderToServe & Cursors)[]> {
	const { rows } = await sql<OrderToServe & Cursors>`
		select ${columns}, ${dueAt} as due_at, ${dueCursor}
		from orders ${joinClaims(now)}
		where orders.id in (${ordersToPost(now)}) ${afterDue(after)}
		order by ${dueAt}, ${isNotExpress}, orders.id limit ${limit}`.execute(db);
	return rows;
}

/** A replaced extract is posted again within days; older ones are not looked for. */
const repostDays = 90;

/** Ids of letters to post, and of letters to post again after another extract. */
export const ordersToPost = (now: Date): RawBuilder<{ id: string }> => sql`
	select orders.id from orders join extract_requests on extract_requests.order_id = orders.id
	where ${isOpen} and not ${isBlocked} and orders.product_code = 'postal'
		and extract_requests.uploaded_at is not null and extract_requests.tracking_number is null
	union all
	select orders.id from order_events join orders on orders.id = order_events.order_id and orders.status = 'completed'
	where order_events.event_type = 'extract_replaced' and order_events.payload @> '{"post": true}'
		and order_events.created_at > ${new Date(now.getTime() - repostDays * day)}
		and not exists (
			select from order_events later where later.order_id = order_events.order_id and later.id > order_events.id
				and (later.event_type = 'posted' or later.event_type = 'extract_replaced' and later.payload @> '{"post": true}'))`;

/** How long a bounce and a returned refund are listed, when nobody deals with them. */
const waitingDays = 90;

/** What waits for a person: the order, why, and since when. What concerns a whole purchase waits at its first order. */
const waiting = (now: Date) => {
	const since = new Date(now.getTime() - waitingDays * day);
	return sql`
		select order_id, 'refund-request' as reason, created_at as since from refund_requests where decided_at is null
		union all
		select order_id, 'mismatch', created_at from payments
		where role = 'mismatch' and amount_cents > (
			select coalesce(sum(refunds.amount_cents), 0) from refunds where refunds.payment_id = payments.id and refunds.status = 'succeeded')
		union all
		select order_id, 'bounce', max(bounced_at) from mails
		where bounced_at > ${since} and kind = any(${listRowKindsTo("customer", "delivery")})
			and not exists (select from orders erased where erased.id = mails.order_id and erased.erased_at is not null)
		group by order_id
		union all
		select order_id, 'refund-returned', max(requested_at) from refunds
		where status in ('failed', 'refused') and requested_at > ${since}
			and not exists (
				select from refunds again where again.payment_id = refunds.payment_id and again.order_id = refunds.order_id and again.status in ('requested', 'pending', 'succeeded')
					and (again.replaces = refunds.id or again.requested_at > refunds.requested_at))
		group by order_id
		union all
		select order_id, 'refund-held', max(requested_at) from refunds
		where status = 'requested' and held_until > ${now} and released_by is null
		group by order_id
		union all
		select order_id, 'approval', max(requested_at) from desk_acts
		where needs_approval and approved_by is null and ended_at is null and undone_at is null and order_id is not null
		group by order_id
		union all
		select id, 'dispute', disputed_at from orders where disputed_at is not null and id = purchase_id
		union all
		select id, 'refunded', paid_at from orders
		where ${isOpen} and refunded_cents >= price_cents and late_at is null and disputed_at is null`;
};

/** Orders that wait for a person, the longest first; an order is listed once for each reason. */
export async function listWaiting(db: Database, { now, after, limit }: Page & { now: Date }): Promise<(WaitingOrder & Cursors)[]> {
	const isAfter =
		after === null ? sql`` : sql`where (since, reason, order_id) > (${after.instant}::timestamptz, ${after.rank}, ${after.id}::uuid)`;
	const { rows } = await sql<WaitingOrder & Cursors>`
		select ${columns}, waiting.reason, waiting.since, waiting.since::text as cursor_instant, waiting.reason as cursor_rank
		from (select * from (${waiting(now)}) as every ${isAfter} order by since, reason, order_id limit ${limit}) as waiting
		join orders on orders.id = waiting.order_id ${joinClaims(now)}
		order by waiting.since, waiting.reason, waiting.order_id`.execute(db);
	return rows;
}

export interface QueueCounts {
	toServe: number;
	express: number;
	standard: number;
	postal: number;
	late: number;
	/** For each checkpoint: orders promised at or before it. */
	by: number[];
	toPost: number;
	waiting: number;
}

/** Counts the lists. @param checkpoints instants, such as ten o'clock. */
export async function countQueue(db: Database, now: Date, checkpoints: readonly Date[]): Promise<QueueCounts> {
	const by = sql.join(checkpoints.map((checkpoint) => sql`count(*) filter (where ${dueAt} <= ${checkpoint})::integer`));
	const { rows } = await sql<QueueCounts>`
		select count(*)::integer as "toServe",
			count(*) filter (where orders.product_code = 'express')::integer as express,
			count(*) filter (where orders.product_code = 'standard')::integer as standard,
			count(*) filter (where orders.product_code = 'postal')::integer as postal,
			count(*) filter (where ${dueAt} < ${now})::integer as late,
			${checkpoints.length === 0 ? sql`array[]::integer[]` : sql`array[${by}]`} as by,
			(select count(*)::integer from (${ordersToPost(now)}) as to_post) as "toPost",
			(select count(*)::integer from (${waiting(now)}) as waiting) as waiting
		from orders where ${isToServe}`.execute(db);
	return rows[0] ?? { toServe: 0, express: 0, standard: 0, postal: 0, late: 0, by: [], toPost: 0, waiting: 0 };
}

export interface Holder {
	operator_id: string;
	operator_name: string;
	orders: { number: OrderNumber; until: string }[];
}

/** Who has which orders, the first claimed first. */
export async function listHolders(db: Database, now: Date): Promise<Holder[]> {
	const { rows } = await sql<Holder>`
		select operator_id, max(operator_name) as operator_name,
			jsonb_agg(jsonb_build_object('number', order_number, 'until', expires_at) order by claimed_at) as orders
		from order_claims join orders on orders.id = order_claims.order_id
		where expires_at > ${now} and ${isOpen}
		group by operator_id order by min(claimed_at)`.execute(db);
	return rows;
}

/** SQL of the queue on the claims of one operator. */

interface UntouchedClaim {
	order_id: string;
	order_number: OrderNumber;
	expires_at: Date;
}

/** Acts that are no work on an order: it may be left to others after them. */
const idleActs = ["release", "discard-draft", "move-draft"];

/**
 * The orders that « Prendre la suivante » gave to an operator who has dropped no file for them and has asked for nothing since, the first
 * claimed first. An order that was taken by its own button is not among them: several may be taken for one visit to the registry.
 */
export async function listUntouchedClaims(db: Database, operatorId: string, now: Date): Promise<UntouchedClaim[]> {
	const { rows } = await sql<UntouchedClaim>`
		select order_id, order_number, expires_at from order_claims join orders on orders.id = order_claims.order_id
		where operator_id = ${operatorId} and expires_at > ${now} and ${isOpen}
			and not exists (
				select from extract_drafts where extract_drafts.order_id = orders.id and extract_drafts.operator = order_claims.operator_id)
			and not exists (
				select from desk_acts where desk_acts.order_id = orders.id and desk_acts.operator_id::text = order_claims.operator_id
					-- the act that took the order was asked for just before
					and desk_acts.requested_at >= order_claims.claimed_at - interval '1 minute'
					and desk_acts.undone_at is null and desk_acts.act <> all(${idleActs}::text[]))
		order by claimed_at, order_id`.execute(db);
	return rows;
}
