import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { emailsEqual, isMailbox, normalizeEmail } from "./normalize-email.ts";

let made: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	made = await createTestDatabase();
});
afterAll(() => made?.close());

test("e-mail addresses are compared without case and blanks, in the database and in the code", async () => {
	for (const [stored, given, same] of [
		["Ada@Example.fr", "ada@example.fr", true],
		[" ada@ example.fr\t", "ADA@EXAMPLE.FR ", true],
		["ada@example.fr", "adb@example.fr", false],
		["ada@example.fr", "ada@example.f", false],
		// some browsers send a domain in the ASCII form of DNS
		["ada@société.fr", "ada@xn--socit-esab.fr", true],
		["Ada@xn--socit-esab.fr", "ada@Société.fr", true],
		["ada@societe.fr", "ada@société.fr", false],
	] as const) {
		const found = await sql<{ same: boolean }>`select ${emailsEqual(sql`${stored}::text`, given)} as same`.execute(made.db);
		expect([found.rows[0]?.same, normalizeEmail(stored) === normalizeEmail(given)], `${stored} ${given}`).toEqual([same, same]);
	}
});

test("in the database, « İ » and the sign of kelvins are not « i » and « k », as some collations write them", async () => {
	for (const [stored, given, same] of [
		["\u0130da@example.fr", "ida@example.fr", false],
		["\u212aim@example.fr", "kim@example.fr", false],
		["\u0130\u212a@example.fr", "\u0130k@example.fr", false],
		["\u0130da@example.fr", "\u0130DA@example.fr", true],
	] as const)
		for (const equal of [emailsEqual, isMailbox]) {
			const found = await sql<{ same: boolean }>`select ${equal(sql`${stored}::text`, given)} as same`.execute(made.db);
			expect(found.rows[0]?.same, `${stored} ${given}`).toBe(same);
		}
});
