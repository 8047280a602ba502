import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import { isOpen } from "../../fulfilment/claims/to-serve.server.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";

/** SQL of the queue on the claims of one operator. */

export interface UntouchedClaim {
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
