import { sql } from "kysely";
import { expect, test } from "vitest";
import { type Database, openDatabase, plannedOnce } from "./database.ts";
import { openLog } from "./log.ts";
import { testDatabase } from "./test-database.ts";

test("a statement that is planned once is known by its name from then on, and so is each other one", async () => {
	const made = await testDatabase();
	const { db } = openDatabase({ ...made.connection, max: 1 }, openLog("silent"));
	const add = async (a: number, b: number) =>
		(await sql<{ sum: number }>`${plannedOnce} select ${a}::integer + ${b} as sum`.execute(db)).rows[0];
	const negate = async (a: number) => (await sql<{ less: number }>`${plannedOnce} select -${a}::integer as less`.execute(db)).rows[0];
	try {
		expect(await add(1, 2)).toEqual({ sum: 3 });
		expect(await negate(4)).toEqual({ less: -4 });
		expect(await add(5, 6)).toEqual({ sum: 11 });
		expect(await known(db)).toBe(2);
		await sql`select 1`.execute(db);
		expect(await known(db)).toBe(2);
	} finally {
		await db.destroy();
		await made.close();
	}
});

async function known(db: Database): Promise<number> {
	const { rows } = await sql<{ known: number }>`select count(*)::integer as known from pg_prepared_statements`.execute(db);
	return rows[0]?.known ?? 0;
}

test("a statement that is planned once fails as any other, and goes on after", async () => {
	const { db, close } = await testDatabase();
	try {
		const divide = (by: number) => sql<{ result: number }>`${plannedOnce} select 6 / ${by}::integer as result`.execute(db);
		await expect(divide(0)).rejects.toThrow("division by zero");
		expect((await divide(2)).rows).toEqual([{ result: 3 }]);
	} finally {
		await close();
	}
});
