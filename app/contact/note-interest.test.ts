import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../server/test-database.ts";
import { noteInterest } from "./note-interest.server.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
	database = await testDatabase();
});
afterAll(() => database.close());

const morning = new Date("2026-11-21T09:00:00Z");
const note = (email: string, { trap = "", at = morning, textVersion = "2026-11-21" } = {}) =>
	noteInterest({ db: database.db, now: () => at }, { email, trap, textVersion });
const kept = (email: string) => database.db.selectFrom("subscription_interest").selectAll().where("email", "=", email).execute();

test("an address is kept with the hour and the version of the words", async () => {
	expect(await note("ada@example.fr")).toEqual({ ok: true });
	expect(await kept("ada@example.fr")).toMatchObject([{ text_version: "2026-11-21", created_at: morning }]);
});

test("an address already known gets the same answer and is kept once, whatever its case", async () => {
	await note("Grace@Example.fr");
	expect(await note("grace@example.FR", { at: new Date("2026-11-22T09:00:00Z"), textVersion: "2027-01-01" })).toEqual({ ok: true });
	expect(await kept("Grace@Example.fr")).toMatchObject([{ text_version: "2026-11-21", created_at: morning }]);
	expect(await kept("grace@example.FR")).toEqual([]);
});

test("twenty requests at once keep one address", async () => {
	const answers = await Promise.all(Array.from({ length: 20 }, () => note("ensemble@example.fr")));
	expect(answers.every(({ ok }) => ok)).toBe(true);
	expect(await kept("ensemble@example.fr")).toHaveLength(1);
});

test("what is not an address is refused with the specified sentence, and nothing is kept", async () => {
	expect(await note("")).toEqual({ ok: false, sentence: "L'adresse email est requise" });
	for (const wrong of ["ada", "ada@example", "ada @example.fr", "@example.fr"]) {
		expect(await note(wrong)).toEqual({ ok: false, sentence: "Format d'email invalide" });
		expect(await kept(wrong)).toEqual([]);
	}
});

test("a robot is thanked and forgotten", async () => {
	expect(await note("robot@example.fr", { trap: "https://spam.example" })).toEqual({ ok: true });
	expect(await kept("robot@example.fr")).toEqual([]);
});
