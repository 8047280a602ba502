import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import type { RefundRequests, Withdrawals } from "../../server/database/database-types.gen.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import type { Cents } from "../catalogue/money.ts";
import type { Order } from "./order.ts";

/** All SQL on `withdrawals` and `refund_requests`: customers' requests and their outcomes. */

export type Withdrawal = Selectable<Withdrawals>;
export type RefundRequest = Selectable<RefundRequests>;

export async function findWithdrawal(db: Database | Trx, orderId: string): Promise<Withdrawal | null> {
	return (await db.selectFrom("withdrawals").selectAll().where("order_id", "=", orderId).executeTakeFirst()) ?? null;
}

/** The withdrawals from some orders. */
export async function listWithdrawals(db: Database | Trx, orderIds: readonly string[]): Promise<Withdrawal[]> {
	return db.selectFrom("withdrawals").selectAll().where("order_id", "=", anyOf(orderIds)).execute();
}

/** The withdrawals of one declaration, with their orders, in the order of their lines; none when it is unknown. */
export async function listDeclaration(db: Database | Trx, declarationId: string): Promise<{ withdrawal: Withdrawal; order: Order }[]> {
	const withdrawals = await db.selectFrom("withdrawals").selectAll().where("declaration_id", "=", declarationId).execute();
	const ids = withdrawals.map(({ order_id }) => order_id);
	const orders = await db.selectFrom("orders").selectAll().where("id", "=", anyOf(ids)).orderBy("purchase_line").execute();
	return orders.flatMap((order) => {
		const withdrawal = withdrawals.find(({ order_id }) => order_id === order.id);
		return withdrawal ? [{ withdrawal, order }] : [];
	});
}

/** The orders from which a customer withdrew in one declaration with this one, in the order of their lines; none if it was declared alone. */
export async function listDeclaredTogether(db: Database | Trx, orderId: string): Promise<string[]> {
	const declarationId = (await findWithdrawal(db, orderId))?.declaration_id;
	const declared = declarationId == null ? [] : await listDeclaration(db, declarationId);
	return declared.length > 1 ? declared.map(({ order }) => order.id) : [];
}

interface NewWithdrawal {
	orderId: string;
	/** Of all orders that were declared together. */
	declarationId: string;
	declaredAt: Date;
	outcome: Withdrawal["outcome"];
	reason: string | null;
	/** What is refunded because of it. */
	refund: Cents;
}

/** @throws when the order already has one. Net: withdraw checks first. */
export async function insertWithdrawal(
	trx: Trx,
	{ orderId, declarationId, declaredAt, outcome, reason, refund }: NewWithdrawal,
): Promise<void> {
	await trx
		.insertInto("withdrawals")
		.values({
			id: randomUUID(),
			order_id: orderId,
			declaration_id: declarationId,
			declared_at: declaredAt,
			outcome,
			reason,
			refund_cents: refund,
		})
		.execute();
	logOrderEvent(trx, orderId, "withdrawal", { outcome });
}

/** The newest request of an order. */
export async function findRefundRequest(db: Database | Trx, orderId: string): Promise<RefundRequest | null> {
	const query = db.selectFrom("refund_requests").selectAll().where("order_id", "=", orderId);
	return (await query.orderBy("created_at", "desc").limit(1).executeTakeFirst()) ?? null;
}

/** @returns its id. @throws while the order has an open one. Net: askForRefund checks first. */
export async function insertRefundRequest(trx: Trx, orderId: string, message: string, now: Date): Promise<string> {
	const id = randomUUID();
	await trx.insertInto("refund_requests").values({ id, order_id: orderId, message, created_at: now }).execute();
	return id;
}

/** Answers the open request of an order. @returns false when there is none. */
export async function answerRefundRequest(
	trx: Trx,
	orderId: string,
	{ granted, answer, now }: { granted: boolean; answer: string | null; now: Date },
): Promise<boolean> {
	const { numUpdatedRows } = await trx
		.updateTable("refund_requests")
		.set({ granted, answer, decided_at: now })
		.where("order_id", "=", orderId)
		.where("decided_at", "is", null)
		.executeTakeFirst();
	if (numUpdatedRows > 0n) logOrderEvent(trx, orderId, "refund_request_answered", { granted });
	return numUpdatedRows > 0n;
}

/** The requests of an order, oldest first. */
export async function listRefundRequests(db: Database | Trx, orderId: string): Promise<RefundRequest[]> {
	return db.selectFrom("refund_requests").selectAll().where("order_id", "=", orderId).orderBy("created_at").execute();
}

/** Blanks the messages and answers of requests. */
export async function anonymiseRequests(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.updateTable("refund_requests").set({ message: "", answer: null }).where("order_id", "=", anyOf(orderIds)).execute();
}

export async function deleteRequests(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("refund_requests").where("order_id", "=", anyOf(orderIds)).execute();
	await trx.deleteFrom("withdrawals").where("order_id", "=", anyOf(orderIds)).execute();
}
