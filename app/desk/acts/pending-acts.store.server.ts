import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";

/** An act on an order that its operator can still undo. */
export interface PendingAct {
	key: string;
	act: string;
	order_number: OrderNumber;
	due_at: Date;
}

/** The acts of an operator that can still be undone, the last due first. */
export async function listPendingActs(db: Database, operatorId: string, now: Date): Promise<PendingAct[]> {
	const { rows } = await sql<PendingAct>`
		select desk_acts.key, desk_acts.act, orders.order_number, desk_acts.due_at
		from desk_acts join orders on orders.id = desk_acts.order_id
		where desk_acts.operator_id = ${operatorId} and desk_acts.ended_at is null and desk_acts.undone_at is null
			and desk_acts.due_at > ${now} and desk_acts.started_at is null and not desk_acts.needs_approval
		order by desk_acts.due_at desc`.execute(db);
	return rows;
}

/** An act that was refused when its time came. */
export interface RefusedAct {
	key: string;
	act: string;
	order_number: OrderNumber;
	sentence: string;
}

/** The acts of an operator that were refused at their time since `since`, and that the operator has not dismissed; the last one first. */
export async function listRefusedActs(db: Database, operatorId: string, since: Date): Promise<RefusedAct[]> {
	const { rows } = await sql<RefusedAct>`
		select desk_acts.key, desk_acts.act, orders.order_number, coalesce(desk_acts.sentence, '') as sentence
		from desk_acts join orders on orders.id = desk_acts.order_id
		where desk_acts.operator_id = ${operatorId} and desk_acts.ok = false and desk_acts.due_at is not null
			and desk_acts.ended_at >= ${since} and desk_acts.seen_at is null
		order by desk_acts.ended_at desc`.execute(db);
	return rows;
}
