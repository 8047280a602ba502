import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { anyOf, type Database, literals, type Trx } from "../../../server/database/database.ts";
import { hour } from "../../../server/durations.ts";
import { postedServices } from "../../catalogue/services.ts";
import { isBlocked, isOpen, isToServe } from "../../fulfilment/claims/to-serve.server.ts";
import type { Order } from "../../orders/order.ts";
import type { PushDevice } from "./pusher.server.ts";
import type { DueAlert } from "./send-alerts.server.ts";

/** All SQL on `order_alerts`, `push_subscriptions` and `operator_duties`. */

/** Somebody still has to do something: obtain the extract, or post it. */
const isUnserved = sql<boolean>`(${isToServe} or ${isOpen} and not ${isBlocked} and orders.product_code in (${literals(postedServices)}))`;

/**
 * Records the orders that are promised within so many minutes and were not announced at this threshold.
 * @returns each once: of two processes, one gets it.
 */
export async function insertDueAlerts(trx: Trx, minutes: number, now: Date): Promise<DueAlert[]> {
	const { rows } = await sql<DueAlert>`
		insert into order_alerts (order_id, minutes, alerted_at)
		select id, ${minutes}::integer, ${now} from orders
		where ${isUnserved} and promised_at > ${now} and promised_at <= ${new Date(now.getTime() + minutes * 60_000)}
		on conflict do nothing
		returning order_id as "orderId", minutes::integer`.execute(trx);
	return rows;
}

/** Deletes the marks of promises that have passed long ago. */
export async function deleteOldAlerts(trx: Trx, before: Date): Promise<void> {
	await trx.deleteFrom("order_alerts").where("alerted_at", "<", before).execute();
}

export interface UnservedOrder extends Pick<Order, "id" | "order_number" | "product_code" | "company_name"> {
	promised_at: Date;
	/** The operator who has it. */
	holder: { id: string; name: string } | null;
}

/** Those of these orders that are still not served, the most urgent first. */
export async function listUnserved(db: Database, orderIds: readonly string[], now: Date): Promise<UnservedOrder[]> {
	const rows = await db
		.selectFrom("orders")
		.leftJoin("order_claims", (join) => join.onRef("order_id", "=", "orders.id").on("expires_at", ">", now))
		.select(["orders.id", "order_number", "product_code", "company_name", "promised_at", "operator_id", "operator_name"])
		.where("orders.id", "=", anyOf(orderIds))
		.where(isUnserved)
		.where("promised_at", "is not", null)
		.orderBy("promised_at")
		.orderBy("order_number")
		.execute();
	return rows.map(({ operator_id, operator_name, promised_at, ...order }) => ({
		...order,
		promised_at: promised_at ?? now,
		holder: operator_id === null ? null : { id: operator_id, name: operator_name ?? "" },
	}));
}

/** How many orders wait for somebody, and how many of them are promised until each of these instants. */
export async function countUnserved(db: Database, instants: readonly Date[]): Promise<{ waiting: number; due: number[] }> {
	const { rows } = await sql<{ waiting: number; due: number[] }>`
		select count(*)::integer as waiting,
			array(select count(*) filter (where promised_at <= instant)::integer from unnest(${instants}::timestamptz[]) with ordinality moments (instant, place)
				left join (select promised_at from orders where ${isUnserved}) unserved on true group by place order by place) as due
		from orders where ${isUnserved}`.execute(db);
	return rows[0] ?? { waiting: 0, due: instants.map(() => 0) };
}

const twelveHours = 12 * hour;

/**
 * The operators on duty who serve orders: those who said so or signed in within twelve hours, unless they said afterwards that they stop.
 */
export async function listOnDuty(db: Database, now: Date): Promise<string[]> {
	const since = new Date(now.getTime() - twelveHours);
	const { rows } = await sql<{ id: string }>`
		select user_id as id from operators.member
		left join lateral (
			select created_at as at, true as on_duty from operators.session where session.user_id = member.user_id
			union all
			select changed_at, on_duty from operator_duties where operator_id = member.user_id
			order by at desc limit 1
		) last on true
		where left_at is null and 'serve' = any(roles) and last.on_duty and last.at > ${since}
		order by user_id`.execute(db);
	return rows.map(({ id }) => id);
}

/** Whether an operator is told of orders that nobody has. */
export async function isOnDuty(db: Database, operatorId: string, now: Date): Promise<boolean> {
	return (await listOnDuty(db, now)).includes(operatorId);
}

export async function countPushDevices(db: Database, operatorId: string): Promise<number> {
	const { count } = await db
		.selectFrom("push_subscriptions")
		.select(sql<number>`count(*)::integer`.as("count"))
		.where("operator_id", "=", operatorId)
		.executeTakeFirstOrThrow();
	return count;
}

/** Records what an operator said of their duty. */
export async function updateDuty(db: Database, operatorId: string, onDuty: boolean, now: Date): Promise<void> {
	const duty = { on_duty: onDuty, changed_at: now };
	await db
		.insertInto("operator_duties")
		.values({ operator_id: operatorId, ...duty })
		.onConflict((conflict) => conflict.column("operator_id").doUpdateSet(duty))
		.execute();
}

/** Devices of one operator. */
const mostDevices = 10;

/** A device belongs to the operator who signed in on it last. Of an operator with more than ten, the oldest are deleted. */
export async function insertPushDevice(db: Database, operatorId: string, device: PushDevice, now: Date): Promise<void> {
	const values = { operator_id: operatorId, p256dh: device.p256dh, auth: device.auth, created_at: now };
	await db.transaction().execute(async (trx) => {
		// of two devices at once, the second sees the first
		await trx.selectFrom("operators.member").select("user_id").where("user_id", "=", operatorId).forUpdate().execute();
		await trx
			.insertInto("push_subscriptions")
			.values({ id: randomUUID(), endpoint: device.endpoint, ...values })
			.onConflict((conflict) => conflict.column("endpoint").doUpdateSet(values))
			.execute();
		const own = trx.selectFrom("push_subscriptions").select("id").where("operator_id", "=", operatorId);
		const old = own.orderBy("created_at", "desc").orderBy("id").offset(mostDevices);
		await trx.deleteFrom("push_subscriptions").where("id", "in", old).execute();
	});
}

/** Deletes all devices of an operator. @returns how many. */
export async function deletePushDevices(trx: Trx, operatorId: string): Promise<number> {
	return Number((await trx.deleteFrom("push_subscriptions").where("operator_id", "=", operatorId).executeTakeFirst()).numDeletedRows);
}

/** The devices of these operators who still work here. */
export async function listPushDevices(db: Database, operatorIds: readonly string[]): Promise<(PushDevice & { operator_id: string })[]> {
	return db
		.selectFrom("push_subscriptions")
		.innerJoin("operators.member", "user_id", "operator_id")
		.select(["operator_id", "endpoint", "p256dh", "auth"])
		.where(sql<string>`operator_id::text`, "=", anyOf(operatorIds))
		.where("left_at", "is", null)
		.orderBy("created_at")
		.execute();
}

/** @param operatorId only of this operator. @returns false when there was none. */
export async function deletePushDevice(db: Database, endpoint: string, operatorId?: string): Promise<boolean> {
	const deleted = await db
		.deleteFrom("push_subscriptions")
		.where("endpoint", "=", endpoint)
		.$if(operatorId !== undefined, (query) => query.where("operator_id", "=", operatorId ?? ""))
		.executeTakeFirst();
	return deleted.numDeletedRows > 0n;
}

/** Deletes the devices and duties of those who have left. */
export async function deleteAlertsOfLeavers(trx: Trx): Promise<void> {
	const gone = sql<boolean>`operator_id in (select user_id from operators.member where left_at is not null)`;
	await trx.deleteFrom("push_subscriptions").where(gone).execute();
	await trx.deleteFrom("operator_duties").where(gone).execute();
}
