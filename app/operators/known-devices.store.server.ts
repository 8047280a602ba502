import type { Database, Trx } from "../../server/database/database.ts";

/**
 * The number in `operators.member` that goes up when all sessions of a person end, when their password changes and when an invitation
 * replaces their access. Known devices and sign-ins in progress have the one that stood there when they began.
 */

/** @returns the number that a known device of this person must have; null when nobody of this id works here. */
export async function findDeviceVersion(db: Database, userId: string): Promise<number | null> {
	const query = db.selectFrom("operators.member").select("device_version").where("user_id", "=", userId).where("left_at", "is", null);
	return (await query.executeTakeFirst())?.device_version ?? null;
}

/** Reads the same until the end of the transaction: a request that ends the sessions of this person waits. */
export async function lockDeviceVersion(trx: Trx, userId: string): Promise<number | null> {
	const query = trx.selectFrom("operators.member").select("device_version").where("user_id", "=", userId).where("left_at", "is", null);
	return (await query.forUpdate().executeTakeFirst())?.device_version ?? null;
}

/** No device of this person is known any more, and no sign-in that has begun goes on. */
export async function endKnownDevices(db: Database | Trx, userId: string): Promise<void> {
	await db
		.updateTable("operators.member")
		.set(({ eb }) => ({ device_version: eb("device_version", "+", 1) }))
		.where("user_id", "=", userId)
		.execute();
}
