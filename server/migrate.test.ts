import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate, oneAtATime } from "./migrate.ts";
import { testDatabase } from "./test-database.ts";

test("a program starts on a schema that a newer one has brought further, and leaves it", async () => {
	const { db, close } = await testDatabase();
	try {
		await sql`insert into kysely_migration values ('9999_of_a_newer_program', now()::text)`.execute(db);
		await migrate(db);
		const { rows } = await sql`select from kysely_migration where name = '9999_of_a_newer_program'`.execute(db);
		expect(rows).toHaveLength(1);
	} finally {
		await close();
	}
});

test("processes that prepare one database do it one after the other, also after one that failed", async () => {
	const { connection, close } = await testDatabase();
	let working = 0;
	const most: number[] = [];
	const prepare = (fails: boolean) =>
		oneAtATime(connection, async () => {
			most.push(++working);
			await new Promise((done) => setTimeout(done, 20));
			working--;
			if (fails) throw new Error("this one fails");
		});
	try {
		const done = await Promise.allSettled([prepare(true), prepare(false), prepare(true), prepare(false)]);
		expect(done.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
		expect(most).toEqual([1, 1, 1, 1]);
	} finally {
		await close();
	}
});
