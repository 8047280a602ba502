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
