import { sql } from "kysely";
import { changeNotification, deskSubject } from "../../../server/database/changes.ts";
import { anyOf, type Database, literals, type Trx } from "../../../server/database/database.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { isOfList } from "../forecast/load.store.server.ts";
import type { Claim, Claimant } from "./claim.ts";
import { dueAt, isNextToServe, isNotExpress } from "./to-serve.server.ts";

/** All SQL on `order_claims`. Each change notifies the desk. */

interface ClaimTime {
	now: Date;
	expiresAt: Date;
}

/**
 * Gives a free order to an operator, or extends the operator's own claim, in one statement.
 * @returns false while another operator has it.
 */
export async function insertClaim(trx: Trx, orderId: string, { id, name }: Claimant, { now, expiresAt }: ClaimTime): Promise<boolean> {
	const row = await trx
		.insertInto("order_claims")
		.values({ order_id: orderId, operator_id: id, operator_name: name, claimed_at: now, expires_at: expiresAt })
		.onConflict((conflict) =>
			conflict
				.column("order_id")
				.doUpdateSet((eb) => ({
					operator_id: id,
					operator_name: name,
					claimed_at: eb
						.case()
						.when(eb.and([eb("order_claims.operator_id", "=", id), eb("order_claims.expires_at", ">", now)]))
						.then(eb.ref("order_claims.claimed_at"))
						.else(now)
						.end(),
					expires_at: expiresAt,
				}))
				.where((eb) => eb.or([eb("order_claims.operator_id", "=", id), eb("order_claims.expires_at", "<=", now)])),
		)
		.returning(["order_id", changeNotification(deskSubject)])
		.executeTakeFirst();
	return row !== undefined;
}

/** Gives an order to an operator, also when another one has it. */
export async function replaceClaim(trx: Trx, orderId: string, { id, name }: Claimant, { now, expiresAt }: ClaimTime): Promise<void> {
	const claim = { operator_id: id, operator_name: name, claimed_at: now, expires_at: expiresAt };
	await trx
		.insertInto("order_claims")
		.values({ order_id: orderId, ...claim })
		.onConflict((conflict) => conflict.column("order_id").doUpdateSet(claim))
		.returning(changeNotification(deskSubject))
		.execute();
}

/** The present claim of an order; null when nobody has it, or its time has run out. */
export async function findClaim(db: Database | Trx, orderId: string, now: Date): Promise<Claim | null> {
	return (await listClaims(db, [orderId], now)).at(0) ?? null;
}

/** The present claims of these orders. */
export async function listClaims(db: Database | Trx, orderIds: readonly string[], now: Date): Promise<Claim[]> {
	const query = db.selectFrom("order_claims").selectAll().where("order_id", "=", anyOf(orderIds)).where("expires_at", ">", now);
	return (await query.execute()).map((row) => ({
		orderId: row.order_id,
		operatorId: row.operator_id,
		operatorName: row.operator_name,
		claimedAt: row.claimed_at,
		expiresAt: row.expires_at,
	}));
}

/** Deletes the claim of an order. @param operatorId only that operator's. @returns false when there was none. */
export async function deleteClaim(trx: Trx, orderId: string, operatorId?: string): Promise<boolean> {
	const row = await trx
		.deleteFrom("order_claims")
		.where("order_id", "=", orderId)
		.$if(operatorId !== undefined, (query) => query.where("operator_id", "=", operatorId ?? ""))
		.returning(["order_id", changeNotification(deskSubject)])
		.executeTakeFirst();
	return row !== undefined;
}

/** Deletes all claims of an operator. @returns how many still held their order. */
export async function deleteClaimsOf(trx: Trx, operatorId: string, now: Date): Promise<number> {
	const deleted = trx.deleteFrom("order_claims").where("operator_id", "=", operatorId);
	const rows = await deleted.returning(["expires_at", changeNotification(deskSubject)]).execute();
	return rows.filter(({ expires_at }) => expires_at > now).length;
}

/** A claim as it was read. */
export interface ReadClaim {
	order_id: string;
	expires_at: Date;
}

/** Deletes claims of an operator that are as they were read. @returns the orders whose claim ended. */
export async function deleteReadClaims(trx: Trx, operatorId: string, claims: readonly ReadClaim[]): Promise<string[]> {
	const deleted: string[] = [];
	for (const { order_id, expires_at } of claims) {
		const query = trx.deleteFrom("order_claims").where("order_id", "=", order_id).where("operator_id", "=", operatorId);
		const row = await query
			.where("expires_at", "=", expires_at)
			.returning(["order_id", changeNotification(deskSubject)])
			.executeTakeFirst();
		if (row) deleted.push(row.order_id);
	}
	return deleted;
}

/**
 * Locks and returns the order promised first that waits for its extract and that nobody has; null when there is none.
 * @param only single orders, without lines of lists.
 */
export async function lockNextOrder(
	trx: Trx,
	{ services, now, only }: { services: readonly ServiceCode[]; now: Date; only?: "single" },
): Promise<string | null> {
	const { rows } = await sql<{ id: string }>`
		select orders.id from orders
		where ${isNextToServe} and orders.product_code in (${literals(services)})
			and not exists (select from order_claims where order_claims.order_id = orders.id and order_claims.expires_at > ${now})
			${only === "single" ? sql`and not ${isOfList}` : sql``}
		order by ${dueAt}, ${isNotExpress}, orders.id
		limit 1
		for no key update of orders skip locked`.execute(trx);
	return rows[0]?.id ?? null;
}
