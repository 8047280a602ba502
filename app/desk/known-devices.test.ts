import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { takeTogether } from "../../server/rate-limits.ts";
import { createBrowser, createOperator, freshCode, type TestOperator } from "../../test/operators.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { createDeviceCookie } from "./operators/known-devices.server.ts";

let shop: TestShop;
let ada: TestOperator;
let boss: TestOperator;
beforeAll(async () => {
	shop = await createTestShop({ variables: { TRUSTED_PROXIES: "1" } });
	boss = await createOperator(shop, "Boss", ["settings"]);
});
afterAll(() => shop?.close());
beforeEach(async () => {
	ada = await createOperator(shop, `Ada${crypto.randomUUID().slice(0, 8)}`, ["serve"]);
});

const deviceName = (cookies: Map<string, string>) => [...cookies.keys()].find((name) => name.startsWith("bureau.device_")) ?? "";

/** A browser that has only the cookie of the known device. */
function createDevice(name = deviceName(ada.cookies), value = ada.cookies.get(name) ?? "") {
	const browser = createBrowser(shop.url);
	browser.cookies.set(name, value);
	return browser;
}

type Browser = Pick<TestOperator, "ask">;
const send = (browser: Browser, path: string, fields: Record<string, string>, network = "203.0.113.1") =>
	browser.ask(path, { method: "POST", body: new URLSearchParams(fields), headers: { "x-forwarded-for": network } });
const signIn = (browser: Browser, email: string, password: string, network?: string) =>
	send(browser, "/bureau/connexion", { email, password }, network);

/** What a stranger with many networks does to an address. */
async function lockOut(email: string) {
	const point = { name: "desk-email", subject: email, most: 30 };
	const fail = () => shop.shop.db.transaction().execute((trx) => takeTogether(shop.shop, trx, [point], { seconds: 900, now: new Date() }));
	while ((await fail()).ok);
}

const findId = async (email: string) =>
	(await shop.shop.db.selectFrom("operators.user").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;

describe("a known device", () => {
	test("signs in, with both factors, while a stranger fails with the address", async () => {
		const statuses: number[] = [];
		for (let i = 0; i < 32; i++) statuses.push((await signIn(createBrowser(shop.url), ada.email, "pas le bon", `198.51.100.${i}`)).status);
		expect(statuses.filter((status) => status === 401)).toHaveLength(30);
		expect((await signIn(createBrowser(shop.url), ada.email, ada.password)).status).toBe(429);
		const device = createDevice();
		expect((await signIn(device, ada.email, ada.password, "198.51.100.1")).headers.get("location")).toContain("/connexion/code");
		expect((await device.ask("/bureau")).headers.get("location")).toContain("/bureau/connexion");
		const opened = await send(device, "/bureau/connexion/code", { code: await freshCode(shop, ada) });
		expect(opened.headers.get("location")).toBe("/bureau");
	});

	test("takes a code while others of its network use up theirs", async () => {
		const strangers = Array.from({ length: 12 }, () => send(createBrowser(shop.url), "/bureau/connexion/code", { code: "000000" }));
		expect((await Promise.all(strangers)).some(({ status }) => status === 429)).toBe(true);
		const device = createDevice();
		await signIn(device, ada.email, ada.password);
		expect((await send(device, "/bureau/connexion/code", { code: await freshCode(shop, ada) })).status).toBe(302);
	});

	test("may fail ten times, also in a burst, and then uses no other count", async () => {
		const device = createDevice();
		const answers = await Promise.all(Array.from({ length: 16 }, () => signIn(device, ada.email, "pas le bon")));
		expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
		expect((await signIn(device, ada.email, ada.password)).status).toBe(429);
		expect((await signIn(createBrowser(shop.url), ada.email, ada.password)).status).toBe(302);
	});

	test("is known for its operator alone, and not with a changed cookie", async () => {
		await lockOut(boss.email);
		expect((await signIn(createDevice(), boss.email, boss.password)).status).toBe(429);
		const [name, other] = [deviceName(boss.cookies), ada.cookies.get(deviceName(ada.cookies)) ?? ""];
		const own = boss.cookies.get(name) ?? "";
		const [text = "", signature = ""] = own.split(".");
		const forged = Buffer.from(text, "base64url").toString().replace(/:0:/, ":1:");
		for (const value of [other, `${own}x`, `${Buffer.from(forged).toString("base64url")}.${signature}`, text, "", "%00"])
			expect((await signIn(createDevice(name, value), boss.email, boss.password)).status, value).toBe(429);
		expect((await signIn(createDevice(name, own), boss.email, boss.password)).status).toBe(302);
	});

	test.each<[string, () => Promise<unknown>]>([
		["all sessions end", () => ada.post("/bureau/mon-acces", { do: "end-all" })],
		[
			"a manager ends the sessions",
			async () => boss.post("/bureau/equipe", { act: "end-sessions", key: crypto.randomUUID(), person: await findId(ada.email) }),
		],
		[
			"the password changes",
			() => ada.post("/bureau/mon-acces", { do: "change-password", current: ada.password, next: "une autre longue phrase" }),
		],
		["a new invitation is accepted", async () => createOperator(shop, ada.email.split("@")[0] ?? "", ["serve"])],
	])("is no longer known when %s", async (_event, end) => {
		const device = createDevice();
		expect((await end()) !== undefined).toBe(true);
		await lockOut(ada.email);
		expect((await signIn(device, ada.email, ada.password)).status).toBe(429);
	});

	test("stays known where the password was changed, and after signing out", async () => {
		await ada.post("/bureau/mon-acces", { do: "change-password", current: ada.password, next: "une autre longue phrase" });
		await ada.post("/bureau/deconnexion", {});
		await lockOut(ada.email);
		expect((await signIn(createDevice(), ada.email, "une autre longue phrase")).status).toBe(302);
	});

	test("has a cookie for the desk alone, without the address", async () => {
		const browser = createBrowser(shop.url);
		await signIn(browser, ada.email, ada.password, "192.0.2.77");
		const opened = await send(browser, "/bureau/connexion/code", { code: await freshCode(shop, ada) }, "192.0.2.77");
		const cookie = opened.headers.getSetCookie().find((text) => text.startsWith("bureau.device_")) ?? "";
		expect(cookie).toMatch(/Max-Age=15552000; Path=\/bureau; HttpOnly; SameSite=Strict$/);
		const environment = { ...shop.shop.environment, deskUrl: "https://bureau.example" };
		const secure = await createDeviceCookie({ ...shop.shop, environment }, await findId(ada.email));
		expect(secure).toMatch(/^__Secure-bureau\.device_\w{8}=.*; HttpOnly; Secure; SameSite=Strict$/);
		const [, text = ""] = /=([^.]+)\./.exec(cookie) ?? [];
		expect(Buffer.from(text, "base64url").toString()).not.toContain("@");
	});
});
