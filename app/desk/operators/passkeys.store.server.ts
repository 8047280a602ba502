import type { Selectable } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { OperatorsPasskey } from "../../../server/database/database-types.gen.ts";
import { isUuid } from "../../../server/uuid.ts";

/** All SQL on passkeys and their challenges. */

export type Passkey = Selectable<OperatorsPasskey>;

export async function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
	return db.selectFrom("operators.passkey").selectAll().where("user_id", "=", userId).orderBy("created_at").execute();
}

export async function findPasskey(db: Database, credentialId: string): Promise<Passkey | null> {
	return (await db.selectFrom("operators.passkey").selectAll().where("credential_id", "=", credentialId).executeTakeFirst()) ?? null;
}

/** @returns false when a passkey with this id is there. */
export async function insertPasskey(db: Database | Trx, passkey: Omit<Passkey, "last_used_at">): Promise<boolean> {
	const inserted = await db
		.insertInto("operators.passkey")
		.values({ ...passkey, last_used_at: null })
		.onConflict((conflict) => conflict.doNothing())
		.returning("credential_id")
		.executeTakeFirst();
	return inserted !== undefined;
}

/** @returns false when it was deleted. */
export async function updatePasskeyUse(db: Database, credentialId: string, counter: number, now: Date): Promise<boolean> {
	const query = db.updateTable("operators.passkey").set({ counter, last_used_at: now }).where("credential_id", "=", credentialId);
	return (await query.returning("credential_id").executeTakeFirst()) !== undefined;
}

export async function deletePasskey(db: Database, userId: string, credentialId: string): Promise<boolean> {
	const query = db.deleteFrom("operators.passkey").where("user_id", "=", userId).where("credential_id", "=", credentialId);
	return (await query.returning("credential_id").executeTakeFirst()) !== undefined;
}

/** A challenge answers once, to the ticket that names it. */
export async function insertChallenge(
	db: Database,
	{ ticket, challenge, until }: { ticket: string; challenge: string; until: Date },
): Promise<void> {
	await db
		.insertInto("operators.verification")
		.values({ identifier: `passkey-${ticket}`, value: challenge, expires_at: until })
		.execute();
}

/** Reads a challenge and deletes it. @returns null when it was used, or is too old. */
export async function takeChallenge(db: Database, ticket: string, now: Date): Promise<string | null> {
	if (!isUuid(ticket)) return null;
	const query = db.deleteFrom("operators.verification").where("identifier", "=", `passkey-${ticket}`);
	const taken = await query.returning(["value", "expires_at"]).executeTakeFirst();
	return taken && taken.expires_at > now ? taken.value : null;
}
