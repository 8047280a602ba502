import { expect, inject, test } from "vitest";
import { withClient } from "./postgres.ts";
import { returnCopy, takeCopy } from "./reusable-databases.ts";

test("a copy whose companies and settings were changed is given to the next file as it was", async () => {
	const { template, ...server } = inject("postgres");
	const run = (database: string, statement: string) =>
		withClient({ ...server, database }, async (client) => (await client.query(statement)).rows);
	const read = (database: string) =>
		run(
			database,
			`select (select md5(string_agg(each::text, ' ' order by siren)) from companies as each) as companies,
				(select md5(string_agg(each::text, ' ' order by name)) from shop_settings as each) as settings`,
		);
	const copy = await takeCopy(server, template, "one.test.ts");
	const before = await read(copy.name);
	await run(
		copy.name,
		`update companies set name = 'AUTRE' where siren = '552032534'; delete from companies where siren = '356000000';
		insert into companies select (jsonb_populate_record(each, '{"siren": "000000000", "id": 999999999}')).* from companies as each limit 1;
		insert into shop_settings (name, value) values ('bulletinReading', 'true')`,
	);
	expect(await read(copy.name)).not.toEqual(before);
	returnCopy(copy, "one.test.ts");
	// the copies of earlier files of this worker come first
	const taken = [];
	do taken.push(await takeCopy(server, template, "two.test.ts"));
	while (taken.at(-1)?.name !== copy.name && taken.length < 9);
	expect(taken.at(-1)?.name).toBe(copy.name);
	expect(await read(copy.name)).toEqual(before);
	for (const each of taken) returnCopy(each, "two.test.ts");
});
