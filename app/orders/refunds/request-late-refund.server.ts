import { sql } from "kysely";
import { advisoryLocks } from "../../../server/database/advisory-locks.ts";
import type { Trx } from "../../../server/database/database.ts";
import { logAfterCommit } from "../../../server/database/log-after-commit.ts";
import { hour } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { refundHoldHours } from "../../catalogue/after-sale.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import type { RefundBrake } from "../../catalogue/settings/shop-settings.ts";
import { listHeldRefunds, sumLateRefunds } from "./refunds.store.server.ts";
import { type RefundedOrder, type RefundOutcome, requestRefund } from "./request-refund.server.ts";

/**
 * A refund above the brake leaves after this time even if nobody decides: a person has a working day, and no weekend or holiday can
 * take the customer's right away.
 */
const longestHold = refundHoldHours * hour;

/**
 * Requests the refund of a late order, in the caller's transaction, which holds the order's lock. Above the brake it waits for a person
 * (docs/rules.md, R83). The transactions that count wait for each other.
 * @returns also whether it is the only one that waits: the operator is told once.
 */
export async function requestLateRefund(
	context: Context,
	trx: Trx,
	order: RefundedOrder,
): Promise<RefundOutcome & { isFirstHeld?: boolean }> {
	const { refundBrake } = await readSettings(trx);
	if (refundBrake.refunds === null && refundBrake.cents === null) return requestRefund(context, trx, order, { reason: "late" });
	await sql`select pg_advisory_xact_lock(${advisoryLocks.lateRefunds})`.execute(trx);
	const at = context.now().getTime();
	const before = await sumLateRefunds(trx, new Date(at - hour));
	const held = await listHeldRefunds(trx, context.now());
	const hold = (cents: number) =>
		isAbove(refundBrake, { refunds: before.refunds + 1, cents: before.cents + cents }) ? new Date(at + longestHold) : null;
	const requested = await requestRefund(context, trx, order, { reason: "late", hold });
	if (!requested.ok || !requested.heldUntil) return requested;
	const fields = { order: order.id, refund: requested.refundId, until: requested.heldUntil.toISOString() };
	logAfterCommit(trx, { level: "error", fields, message: "a refund waits for a person: the brake is reached" });
	return { ...requested, isFirstHeld: held.length === 0 };
}

const isAbove = (brake: RefundBrake, sum: { refunds: number; cents: number }) =>
	(brake.refunds !== null && sum.refunds > brake.refunds) || (brake.cents !== null && sum.cents > brake.cents);
