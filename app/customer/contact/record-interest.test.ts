import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { checkEmail } from "../../mail/email-address.ts";
import { recordInterest } from "./record-interest.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-21T09:00:00Z" });
});
afterAll(() => shop?.close());

const morning = new Date("2026-11-21T09:00:00Z");
let visitors = 0;
const note = (email: string, { honeypot = "", at = morning, textVersion = "2026-11-21", client = `visitor ${++visitors}` } = {}) =>
	recordInterest({ ...shop, now: () => at }, { email, honeypot, textVersion, client });
const kept = (email: string) => shop.db.selectFrom("subscription_interest").selectAll().where("email", "=", email).execute();

test("an address is stored with its time and the version of the text", async () => {
	expect(await note("ada@example.fr")).toEqual({ ok: true });
	expect(await kept("ada@example.fr")).toMatchObject([{ text_version: "2026-11-21", created_at: morning }]);
});

test("a known address gets the same result and is stored once, in any case of letters", async () => {
	await note("Grace@Example.fr");
	expect(await note("grace@example.FR", { at: new Date("2026-11-22T09:00:00Z"), textVersion: "2027-01-01" })).toEqual({ ok: true });
	expect(await kept("Grace@Example.fr")).toMatchObject([{ text_version: "2026-11-21", created_at: morning }]);
	expect(await kept("grace@example.FR")).toEqual([]);
});

test("twenty parallel requests store one address", async () => {
	const answers = await Promise.all(Array.from({ length: 20 }, () => note("ensemble@example.fr")));
	expect(answers.every(({ ok }) => ok)).toBe(true);
	expect(await kept("ensemble@example.fr")).toHaveLength(1);
});

test("an invalid address is refused with the agreed sentence, and nothing is stored", async () => {
	expect(await note("")).toEqual({ ok: false, code: "invalid" });
	expect(checkEmail("")).toBe("L'adresse email est requise");
	for (const wrong of ["ada", "ada@example", "ada @example.fr", "@example.fr"]) {
		expect([await note(wrong), checkEmail(wrong)]).toEqual([{ ok: false, code: "invalid" }, "Format d'email invalide"]);
		expect(await kept(wrong)).toEqual([]);
	}
});

test("a robot gets the success page, and nothing is stored", async () => {
	expect(await note("robot@example.fr", { honeypot: "https://spam.example" })).toEqual({ ok: true });
	expect(await kept("robot@example.fr")).toEqual([]);
});

test("one client cannot fill the list", async () => {
	const burst = await Promise.all(Array.from({ length: 100 }, (_, i) => note(`foule${i}@example.fr`, { client: "one client" })));
	expect(burst.filter(({ ok }) => ok)).toHaveLength(20);
	const refused = await note("foule20@example.fr", { client: "one client" });
	expect(refused).toMatchObject({ ok: false, code: "limited", retryAfter: expect.any(Number) });
	const { retryAfter } = refused as { retryAfter: number };
	expect([retryAfter > 3000, retryAfter <= 3600], "within the hour").toEqual([true, true]);
	expect(await note("foule20@example.fr", { client: "another client" })).toEqual({ ok: true });
});
