import type { Database } from "../../server/database/database.ts";

/** @returns the secret of a person's authenticator, encrypted by better-auth. */
export async function findTwoFactorSecret(db: Database, userId: string): Promise<string | null> {
	return (await db.selectFrom("operators.two_factor").select("secret").where("user_id", "=", userId).executeTakeFirst())?.secret ?? null;
}

/** Records the time step of a code. @returns false when this one or a later one is recorded: of two requests at once, one is first. */
export async function updateLastStep(db: Database, userId: string, step: number): Promise<boolean> {
	const query = db.updateTable("operators.two_factor").set({ last_step: step }).where("user_id", "=", userId);
	const row = await query
		.where(({ eb, or }) => or([eb("last_step", "is", null), eb("last_step", "<", String(step))]))
		.returning("id")
		.executeTakeFirst();
	return row !== undefined;
}
