import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { restoreFormerSchema } from "../../test/former-schema.ts";
import { insertOrder } from "../../test/orders.ts";
import { adoptSchema, replacedMigrations } from "./adopt-schema.ts";
import { describeSchema } from "./describe-schema.ts";
import { getSchemaState, migrate, readMigrations, readTexts } from "./migrate.ts";
import { SchemaError } from "./schema-error.ts";

/** A database that the replaced migrations made. */
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let description: string[];
beforeEach(async () => {
	database = await createTestDatabase();
	description = await describeSchema(database.db);
	await restoreFormerSchema(database.pool);
});
afterEach(() => database?.close());

const listApplied = async () => {
	const { rows } = await database.pool.query("select name from kysely_migration order by name");
	return rows.map(({ name }) => name);
};

/** Migrates, and expects that nothing changes. @returns why. */
async function findReason(): Promise<string> {
	const before = [await describeSchema(database.db), await listApplied()];
	const error = await migrate(database.db).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(SchemaError);
	expect([await describeSchema(database.db), await listApplied()]).toEqual(before);
	return (error as SchemaError).message;
}

test("a database of the replaced migrations becomes one of this program and keeps its rows", async () => {
	const { db } = database;
	expect(await getSchemaState(db)).toBe("older");
	const { id } = await insertOrder(db, { created_at: new Date() });
	await migrate(db);
	expect(await getSchemaState(db)).toBe("usable");
	expect(await listApplied()).toEqual(Object.keys(readMigrations()));
	expect(await describeSchema(db)).toEqual(description);
	expect(await db.selectFrom("orders").select("id").execute()).toEqual([{ id }]);
	await migrate(db);
	expect(await listApplied()).toEqual(Object.keys(readMigrations()));
});

test("two processes may start at once", async () => {
	await Promise.all([migrate(database.db), migrate(database.db)]);
	expect(await getSchemaState(database.db)).toBe("usable");
});

test("an adoption that waits for a lock lets requests pass", async () => {
	const holder = await database.pool.connect();
	await holder.query("begin; lock table orders in access share mode");
	try {
		const adoption = adoptSchema(database.db, readTexts(), { lockTimeoutMs: 50 });
		// the code on which `migrate` tries again
		await expect(adoption).rejects.toMatchObject({ code: "55P03" });
	} finally {
		await holder.query("rollback");
		holder.release();
	}
});

describe("nothing changes", () => {
	test.each([
		["the last migration", replacedMigrations.slice(-1), "the migration 0083_archived_contracts"],
		["several migrations", replacedMigrations.slice(1, 6), "the migrations 0002_companies, 0003_contact, 0004_registry and 2 more"],
	])("in a database that lacks %s", async (_, missing, named) => {
		await sql`delete from kysely_migration where name = any(${missing})`.execute(database.db);
		expect(await findReason()).toBe(`An older version made the database, and it lacks ${named} of that version.`);
		await expect(getSchemaState(database.db)).rejects.toThrow(named);
	});

	test("in a database with a migration of another branch", async () => {
		await database.pool.query("insert into kysely_migration values ('0084_of_another_branch', now()::text)");
		expect(await findReason()).toBe("The database has the migration 0084_of_another_branch, which this program lacks.");
	});

	test("in a database whose schema was changed by hand", async () => {
		await database.pool.query("alter table orders add by_hand text; drop index orders_siren");
		expect(await findReason()).toBe(
			[
				"The schema of the database is not that of this program, which has the lines with - and not those with +:",
				"+ column public.orders.by_hand text storage x",
				"- index CREATE INDEX orders_siren ON public.orders USING btree (siren, created_at)",
			].join("\n"),
		);
	});

	test("where many things differ, of which the first are named", async () => {
		for (const schema of ["sandbox", "customers"]) await database.pool.query(`drop schema ${schema} cascade; create schema ${schema}`);
		expect(await findReason()).toMatch(/(\n- column customers.*){5}\n… and \d+ more$/);
	});
});
