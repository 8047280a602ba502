import type { Selectable } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import type { TermsVersions } from "../../../server/database/database-types.gen.ts";

/** All SQL on `terms_versions`. */
export type TermsVersion = Selectable<TermsVersions>;

/** Inserts a version, unless it is there already. */
export async function insertTerms(db: Database, { sha256, version, text, pdf, first_seen_at }: TermsVersion): Promise<void> {
	await db
		.insertInto("terms_versions")
		.values({ sha256, version, text, pdf, first_seen_at })
		.onConflict((conflict) => conflict.column("sha256").doNothing())
		.execute();
}

export async function hasTerms(db: Database, sha256: string): Promise<boolean> {
	return (await db.selectFrom("terms_versions").select("sha256").where("sha256", "=", sha256).executeTakeFirst()) !== undefined;
}

/** Finds a version by its hash. */
export async function findTerms(db: Database, sha256: string): Promise<TermsVersion | null> {
	return (await db.selectFrom("terms_versions").selectAll().where("sha256", "=", sha256).executeTakeFirst()) ?? null;
}
