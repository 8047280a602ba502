import type { Database, Trx } from "../../server/database/database.ts";

/** @returns the number that a known device of this person must have; null when nobody of this id works here. */
export async function findDeviceVersion(db: Database, userId: string): Promise<number | null> {
	const query = db.selectFrom("operators.member").select("device_version").where("user_id", "=", userId).where("left_at", "is", null);
	return (await query.executeTakeFirst())?.device_version ?? null;
}

/** No device of this person is known any more. */
export async function endKnownDevices(db: Database | Trx, userId: string): Promise<void> {
	await db
		.updateTable("operators.member")
		.set(({ eb }) => ({ device_version: eb("device_version", "+", 1) }))
		.where("user_id", "=", userId)
		.execute();
}
