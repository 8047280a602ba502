import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser, createOperator, freshCode, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop({ variables: { TRUSTED_PROXIES: "1" } });
	ada = await createOperator(shop, "Ada", ["serve", "settings"]);
});
afterAll(() => shop?.close());

/** Runs something, and lists the lines of the trail that it wrote, each with its outcome. */
async function listLines(run: () => Promise<unknown>): Promise<string[]> {
	const trail = shop.shop.db.selectFrom("desk_log").where("outcome", "!=", "begun").orderBy("id");
	const { last } = await shop.shop.db
		.selectFrom("desk_log")
		.select(({ fn }) => fn.max("id").as("last"))
		.executeTakeFirstOrThrow();
	await run();
	const rows = await trail
		.selectAll()
		.where("id", ">", last ?? "0")
		.execute();
	for (const { subject, change, who, origin } of rows) expect([subject, change, who, origin]).toEqual([null, null, "Ada", "203.0.113.7"]);
	return rows.map(({ verb, outcome }) => `${verb}: ${outcome}`);
}

/** Sends a form of the desk from a network. */
const send = (path: string, fields: Record<string, string>, { ask }: Pick<TestOperator, "ask">) =>
	ask(path, { method: "POST", body: new URLSearchParams(fields), headers: { "x-forwarded-for": "203.0.113.7" } });

test("the trail has each sign-in with its way, failures after the right password, and each sign-out", async () => {
	const window = createBrowser(shop.url);
	const giveCode = (code: string) => send("/bureau/connexion/code", { code }, window);
	const givePassword = (password: string) => send("/bureau/connexion", { email: ada.email, password }, window);
	// anybody can fail with an address
	expect(await listLines(() => givePassword("pas le bon mot de passe"))).toEqual([]);
	expect(await listLines(() => giveCode("000000"))).toEqual([]);
	expect(await listLines(() => givePassword(ada.password))).toEqual([]);
	expect(await listLines(() => giveCode("000000"))).toEqual(["sign-in-with-code: refused"]);
	expect(await listLines(async () => giveCode(await freshCode(shop, ada)))).toEqual(["sign-in-with-code: done"]);
	expect(await listLines(() => send("/bureau/deconnexion", {}, window))).toEqual(["sign-out: done"]);
	expect(await listLines(() => send("/bureau/deconnexion", {}, window))).toEqual([]);
	await givePassword(ada.password);
	expect(await listLines(() => giveCode(ada.recoveryCodes[0] ?? ""))).toEqual(["sign-in-with-recovery-code: done"]);
	expect(await listLines(() => send("/bureau/mon-acces", { do: "end-all" }, window))).toEqual(["end-own-sessions: done"]);
});

test("no more failures than the limit reach the trail", async () => {
	const eve = await createOperator(shop, "Eve", ["serve"]);
	const window = createBrowser(shop.url);
	await send("/bureau/connexion", { email: eve.email, password: eve.password }, window);
	await Promise.all(Array.from({ length: 15 }, () => send("/bureau/connexion/code", { code: "000000" }, window)));
	const failures = await shop.shop.db
		.selectFrom("desk_log")
		.select("id")
		.where("who", "=", "Eve")
		.where("outcome", "=", "refused")
		.execute();
	expect(failures.length).toBeGreaterThan(0);
	expect(failures.length).toBeLessThanOrEqual(10);
});

test("the trail has who accepted an invitation and set up the second factor", async () => {
	await createOperator(shop, "Nia", ["serve"]);
	const rows = await shop.shop.db.selectFrom("desk_log").select(["verb", "outcome"]).where("who", "=", "Nia").orderBy("id").execute();
	expect(rows.filter(({ outcome }) => outcome === "done").map(({ verb }) => verb)).toEqual(["accept-invitation", "link-authenticator"]);
});
