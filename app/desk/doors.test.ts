import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowser, createOperator, freshCode, oneTimeCode, readSecret, type TestOperator } from "../../test/operators.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";

import { inviteOperator } from "./operators/invite-operator.server.ts";
import { findOperator } from "./operators/operators.store.server.ts";
import { deskPages } from "./shell/desk-pages.ts";

let shop: TestShop;
let boss: TestOperator;
beforeAll(async () => {
	shop = await createTestShop({ variables: { TRUSTED_PROXIES: "1" } });
	expect((await shop.ask("/bureau/connexion")).status).toBe(404);
	for (const { path } of deskPages) expect((await shop.ask(path)).status, path).toBe(404);
	boss = await createOperator(shop, "Ada", ["serve", "refund", "privacy", "accounts", "settings"]);
});
afterAll(() => shop?.close());

const signIn = async (browser: Pick<TestOperator, "post">, email: string, password: string) =>
	browser.post("/bureau/connexion", { email, password });

describe("an invitation", () => {
	test("opens nothing by itself, and serves once", async () => {
		const url = await inviteOperator(shop.shop, { email: "eve@bureau.example", name: "Eve", roles: ["serve"], invitedBy: "test" });
		const { pathname } = new URL(url);
		const scanner = createBrowser(shop.url);
		for (let i = 0; i < 3; i++) expect(await (await scanner.ask(pathname)).text()).toContain("Bonjour Eve");
		expect(scanner.cookies.size).toBe(0);
		const answers = await Promise.all(Array.from({ length: 4 }, () => scanner.post(pathname, { password: "une longue phrase de passe" })));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 302, 302, 302]);
		expect(await (await scanner.ask(pathname)).text()).toContain("Ce lien n’est plus valable");
	});

	test("of a changed or foreign link is closed", async () => {
		const browser = createBrowser(shop.url);
		expect(await (await browser.ask("/bureau/invitation/abc.def")).text()).toContain("Ce lien n’est plus valable");
	});

	test("refuses a short password and keeps the link", async () => {
		const url = await inviteOperator(shop.shop, { email: "bob@bureau.example", name: "Bob", roles: ["serve"], invitedBy: "test" });
		const browser = createBrowser(shop.url);
		const answer = await browser.post(new URL(url).pathname, { password: "court" });
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain("au moins 12 caractères");
		expect((await browser.ask(new URL(url).pathname)).status).toBe(200);
	});

	test("opens nothing with a recovery code in place of the authenticator's first code", async () => {
		const url = await inviteOperator(shop.shop, { email: "gil@bureau.example", name: "Gil", roles: ["serve"], invitedBy: "test" });
		const browser = createBrowser(shop.url);
		const page = await (await browser.post(new URL(url).pathname, { password: "une longue phrase de passe" })).text();
		const [, code = ""] = /<li>(\w{5}-\w{5})<\/li>/.exec(page) ?? [];
		expect((await browser.post("/bureau/second-facteur", { step: "confirm", code })).status).toBe(401);
		expect([...browser.cookies.keys()].some((name) => name.includes("device"))).toBe(false);
		expect((await browser.ask("/bureau/commandes")).headers.get("location")).toBe("/bureau/second-facteur");
	});

	test("slows down who tries the authenticator's first code again and again, and says for how long", async () => {
		const url = await inviteOperator(shop.shop, { email: "ivo@bureau.example", name: "Ivo", roles: ["serve"], invitedBy: "test" });
		const browser = createBrowser(shop.url);
		await browser.post(new URL(url).pathname, { password: "une longue phrase de passe" });
		const body = new URLSearchParams({ step: "confirm", code: "000000" });
		const tryCode = () => browser.ask("/bureau/second-facteur", { method: "POST", body, headers: { "x-forwarded-for": "192.0.2.77" } });
		for (let failure = 1; failure <= 10; failure++) expect((await tryCode()).status).toBe(401);
		const limited = await tryCode();
		expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
	});

	test("opens nothing to another browser that gave the password alone, also after the second factor was set up", async () => {
		const url = await inviteOperator(shop.shop, { email: "vic@bureau.example", name: "Vic", roles: ["serve"], invitedBy: "test" });
		const vic = createBrowser(shop.url);
		const page = await (await vic.post(new URL(url).pathname, { password: "une longue phrase de passe" })).text();
		const other = createBrowser(shop.url);
		const given = await signIn(other, "vic@bureau.example", "une longue phrase de passe");
		expect(given.headers.get("location")).toBe("/bureau/second-facteur");
		const [[name, kept] = ["", ""]] = other.cookies;
		expect(
			(await vic.post("/bureau/second-facteur", { step: "confirm", code: oneTimeCode(readSecret(page)) })).headers.get("location"),
		).toBe("/bureau");
		expect((await vic.ask("/bureau/commandes")).status).toBe(200);
		other.cookies.set(name, kept);
		for (const path of ["/bureau/commandes", "/bureau/second-facteur"])
			expect((await other.ask(path)).headers.get("location"), path).toContain("/bureau/connexion");
		const owner = shop.shop.db.selectFrom("operators.user").select("operators.user.id").where("email", "=", "vic@bureau.example");
		expect(await shop.shop.db.selectFrom("operators.session").select("id").where("user_id", "=", owner).execute()).toHaveLength(1);
		// one that was made without the second factor meanwhile opens nothing either
		await shop.shop.db.updateTable("operators.session").set({ proved_at: null }).where("user_id", "=", owner).execute();
		expect((await vic.ask("/bureau/commandes")).headers.get("location")).toContain("/bureau/connexion");
	});

	test("replaces the access of a person who is there: old password, codes and sessions no longer open", async () => {
		const lea = await createOperator(shop, "Lea", ["serve"]);
		const again = await createOperator(shop, "Lea", ["serve", "refund"]);
		expect((await lea.ask("/bureau/commandes")).headers.get("location")).toContain("/bureau/connexion");
		expect((await again.ask("/bureau/commandes")).status).toBe(200);
	});
});

describe("signing in", () => {
	test("asks for a password and a code", async () => {
		const browser = createBrowser(shop.url);
		const first = await signIn(browser, boss.email, boss.password);
		expect(first.headers.get("location")).toContain("/bureau/connexion/code");
		expect((await browser.ask("/bureau/commandes")).status).toBe(302);
		const wrong = await browser.post("/bureau/connexion/code", { code: "000000" });
		expect(wrong.status).toBe(401);
		const second = await browser.post("/bureau/connexion/code", { code: await freshCode(shop, boss), vers: "/bureau/equipe" });
		expect(second.headers.get("location")).toBe("/bureau/equipe");
		expect((await browser.ask("/bureau/equipe")).status).toBe(200);
	});

	test("takes a code once, also of two browsers at once, and no earlier one after it", async () => {
		const nia = await createOperator(shop, "Nia", ["serve"]);
		const enter = async (code: string) => {
			const browser = createBrowser(shop.url);
			await signIn(browser, nia.email, nia.password);
			return () => browser.post("/bureau/connexion/code", { code });
		};
		// the code that set up the authenticator
		const owner = shop.shop.db.selectFrom("operators.user").select("operators.user.id").where("email", "=", nia.email);
		const used = shop.shop.db.selectFrom("operators.two_factor").select("last_step").where("user_id", "=", owner);
		const { last_step } = await used.executeTakeFirstOrThrow();
		expect((await (await enter(oneTimeCode(nia.secret, Number(last_step) * 30_000)))()).status).toBe(401);
		const code = await freshCode(shop, nia);
		const browsers = await Promise.all(Array.from({ length: 4 }, () => enter(code)));
		const answers = await Promise.all(browsers.map((send) => send()));
		expect(answers.map(({ status }) => status).sort()).toEqual([302, 401, 401, 401]);
		expect((await (await enter(oneTimeCode(nia.secret, Date.now() - 30_000)))()).status).toBe(401);
		expect((await (await enter(oneTimeCode(nia.secret, Date.now() + 30_000)))()).status).toBe(302);
	});

	test("takes a recovery code once", async () => {
		const [code = ""] = boss.recoveryCodes;
		for (const status of [302, 401]) {
			const browser = createBrowser(shop.url);
			await signIn(browser, boss.email, boss.password);
			expect((await browser.post("/bureau/connexion/code", { code })).status).toBe(status);
		}
	});

	test("reads whose code it is from one cookie: a code that was used serves nobody, whatever other cookies come with it", async () => {
		const [una, mal] = [await createOperator(shop, "Uma", ["serve"]), await createOperator(shop, "Mal", ["serve"])];
		const code = await freshCode(shop, una);
		const own = createBrowser(shop.url);
		await signIn(own, una.email, una.password);
		expect((await own.post("/bureau/connexion/code", { code })).status).toBe(302);
		const [first, second] = [createBrowser(shop.url), createBrowser(shop.url)];
		await signIn(first, una.email, una.password);
		await signIn(second, mal.email, mal.password);
		const giveCode = (cookie: string) => {
			const headers = { cookie, "x-forwarded-for": "192.0.2.60" };
			const body = new URLSearchParams({ code });
			return fetch(new URL("/bureau/connexion/code", shop.url), { method: "POST", redirect: "manual", body, headers });
		};
		const read = ({ cookies }: typeof first) => cookies.get("bureau.two_factor");
		const trail = () => shop.shop.db.selectFrom("desk_log").select("id").where("outcome", "=", "done").execute();
		const before = (await trail()).length;
		const pad = "x".repeat(2000);
		for (const cookie of [
			`__Secure-bureau.two_factor=${read(second)}; bureau.two_factor=${read(first)}`,
			`bureau.two_factor=${read(first)}; pad=${pad}; bureau.session_token=${mal.cookies.get("bureau.session_token")}`,
		]) {
			const answer = await giveCode(cookie);
			expect(answer.status).toBe(401);
			expect(answer.headers.getSetCookie()).toEqual([]);
		}
		// nor does a cookie that somebody signed themselves
		const forged = `bureau.two_factor=${read(first)?.split(".")[0]}.${"A".repeat(43)}%3D`;
		expect((await giveCode(forged)).headers.get("location")).toBe("/bureau/connexion?expire");
		expect((await trail()).length).toBe(before);
	});

	test("is refused for a moment to strangers while many passwords wait, and not to a known device", async () => {
		const post = (email: string, password: string, network: number, { ask } = createBrowser(shop.url)) =>
			ask("/bureau/connexion", {
				method: "POST",
				body: new URLSearchParams({ email, password }),
				headers: { "x-forwarded-for": `2001:db8:0:${network.toString(16)}::1` },
			});
		const own = createBrowser(shop.url);
		for (const [name, value] of boss.cookies) if (name.startsWith("bureau.device_")) own.cookies.set(name, value);
		const { passwordQueue } = shop.shop;
		const { promise: free, resolve: release } = Promise.withResolvers<void>();
		const compared = Array.from({ length: 2 }, () => passwordQueue.runFirst(() => free));
		const waiting = Array.from({ length: 8 }, () => passwordQueue.runIfFree(async () => {}));
		const refused = await post("nobody@bureau.example", "pas le bon mot de passe", 1);
		expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
		expect(await refused.text()).toContain("Trop de personnes se connectent en même temps");
		const known = post(boss.email, boss.password, 1000, own);
		release();
		expect((await known).headers.get("location")).toContain("/bureau/connexion/code");
		await Promise.all([...compared, ...waiting]);
		// who was only made to wait has not failed
		expect((await post("nobody@bureau.example", "pas le bon mot de passe", 1)).status).toBe(401);
	});

	test("tries at most ten codes of an account in a burst from many networks", async () => {
		const kai = await createOperator(shop, "Kai", ["serve"]);
		const browsers = Array.from({ length: 14 }, (_, network) => {
			const { ask } = createBrowser(shop.url);
			const headers = { "x-forwarded-for": `198.51.100.${network}` };
			return (path: string, fields: Record<string, string>) => ask(path, { method: "POST", body: new URLSearchParams(fields), headers });
		});
		for (const post of browsers) await post("/bureau/connexion", { email: kai.email, password: kai.password });
		const answers = await Promise.all(browsers.map((post) => post("/bureau/connexion/code", { code: "000000" })));
		expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
		expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4);
	});

	test("answers a wrong password and an unknown address alike", async () => {
		const [wrong, unknown] = [
			await signIn(createBrowser(shop.url), boss.email, "pas le bon mot de passe"),
			await signIn(createBrowser(shop.url), "personne@bureau.example", "pas le bon mot de passe"),
		];
		expect([wrong.status, unknown.status]).toEqual([401, 401]);
		const sentence = "L’adresse ou le mot de passe n’est pas le bon.";
		expect([(await wrong.text()).includes(sentence), (await unknown.text()).includes(sentence)]).toEqual([true, true]);
	});

	test("slows down after five failures, also in a burst", async () => {
		const browser = createBrowser(shop.url);
		const max = await createOperator(shop, "Max", ["serve"]);
		const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(browser, max.email, "pas le bon mot de passe")));
		expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
		const limited = answers.filter(({ status }) => status === 429);
		expect(limited).toHaveLength(7);
		expect(limited[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
		expect((await signIn(browser, max.email, max.password)).status).toBe(429);
	});

	test("gives a new session, never the one that the browser brought", async () => {
		const browser = createBrowser(shop.url);
		browser.cookies.set("bureau.session_token", "chosen-by-somebody-else.AAAA");
		await signIn(browser, boss.email, boss.password);
		await browser.post("/bureau/connexion/code", { code: await freshCode(shop, boss) });
		expect(browser.cookies.get("bureau.session_token")).not.toContain("chosen-by-somebody-else");
		const before = new Map(browser.cookies);
		await browser.post("/bureau/deconnexion", {});
		for (const [name, value] of before) browser.cookies.set(name, value);
		expect((await browser.ask("/bureau/commandes")).headers.get("location")).toContain("/bureau/connexion");
	});

	test("never leads to another site", async () => {
		for (const vers of ["https://evil.example", "//evil.example", "/bureau/../evil", "/bureau\\evil", "/bureau/connexion"]) {
			const page = await (await boss.ask(`/bureau/connexion?vers=${encodeURIComponent(vers)}`)).text();
			expect(page, vers).toContain('name="vers" value="/bureau"');
		}
	});

	test("from another site is refused", async () => {
		for (const origin of ["https://evil.example", "null"]) {
			const answer = await boss.ask("/bureau/equipe", {
				method: "POST",
				headers: { origin },
				body: new URLSearchParams({ act: "invite" }),
			});
			expect(answer.status, origin).toBe(403);
		}
	});
});

describe("a session in other hands", () => {
	test("does not find the password by trying", async () => {
		const sam = await createOperator(shop, "Sam", ["serve"]);
		for (let i = 0; i < 5; i++) await sam.post("/bureau/mon-acces", { do: "new-codes", current: `une mauvaise phrase ${i}` });
		const answer = await sam.post("/bureau/mon-acces", { do: "new-codes", current: sam.password });
		expect(await answer.text()).toContain("Trop d’essais");
	});

	test("changes nothing that outlives it after a quarter of an hour", async () => {
		const una = await createOperator(shop, "Una", ["serve"]);
		const owner = shop.shop.db.selectFrom("operators.user").select("operators.user.id").where("email", "=", una.email);
		const proved = shop.shop.db.updateTable("operators.session").where("user_id", "=", owner);
		const age = (milliseconds: number) => proved.set({ proved_at: new Date(Date.now() - milliseconds) }).execute();
		const change = (current: string, next: string) =>
			una.ask("/bureau/mon-acces", {
				method: "POST",
				body: new URLSearchParams({ do: "change-password", current, next }),
				headers: { "x-operator-client": "8.8.8.8", "x-forwarded-for": "198.51.100.7" },
			});
		const begin = async () => {
			const init = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
			return (await una.ask("/bureau/mon-acces/cle", init)).json();
		};
		expect(await begin()).toHaveProperty("ticket");
		await age(800_000);
		const [stale, next] = ["reconnectez-vous", "une autre longue phrase"];
		expect(await (await change(una.password, next)).text()).toContain("Le mot de passe est changé");
		const [session] = await shop.shop.db.selectFrom("operators.session").selectAll().where("user_id", "=", owner).execute();
		expect(session?.ip_address).toBe("198.51.100.7");
		// a new password is no second factor
		expect(session?.proved_at?.getTime()).toBeLessThan(Date.now() - 700_000);
		expect((await una.ask("/bureau/commandes")).status).toBe(200);
		await age(960_000);
		expect(await begin()).toMatchObject({ ok: false, text: expect.stringContaining(stale) });
		expect(await (await change(next, una.password)).text()).toContain(stale);
		const page = await (await una.post("/bureau/mon-acces", { do: "new-codes", current: next })).text();
		expect(page).toContain(stale);
		expect(page).not.toMatch(/<li[^>]*>\w{5}-\w{5}<\/li>/);
		expect(page).not.toContain('name="current"');
	});
});

describe("cookies and headers", () => {
	test("are for the desk alone", async () => {
		const browser = createBrowser(shop.url);
		const answer = await signIn(browser, boss.email, boss.password);
		for (const cookie of answer.headers.getSetCookie()) {
			expect(cookie).toMatch(/HttpOnly/i);
			expect(cookie).toMatch(/SameSite=Strict/i);
			expect(cookie).toMatch(/Path=\/bureau/i);
		}
	});

	test("pages are not stored, framed or indexed", async () => {
		const { headers } = await boss.ask("/bureau/equipe");
		expect(headers.get("cache-control")).toBe("no-store");
		expect(headers.get("x-robots-tag")).toContain("noindex");
		expect(headers.get("content-security-policy")).toContain("default-src 'none'");
		expect(headers.get("content-security-policy")).toContain("form-action 'self';");
	});
});

describe("an operator who leaves", () => {
	test("has no session from the next request on, and cannot sign in", async () => {
		const zoe = await createOperator(shop, "Zoe", ["serve"]);
		expect((await zoe.ask("/bureau/commandes")).status).toBe(200);
		const { id } = await shop.shop.db.selectFrom("operators.user").select("id").where("email", "=", zoe.email).executeTakeFirstOrThrow();
		const ended = await boss.post("/bureau/equipe", { act: "end-operator", key: crypto.randomUUID(), person: id });
		expect(await ended.text()).toContain("L’accès est fermé");
		expect((await zoe.ask("/bureau/commandes")).headers.get("location")).toContain("/bureau/connexion");
		expect((await signIn(createBrowser(shop.url), zoe.email, zoe.password)).status).toBe(401);
	});

	test("has no open invitation any more; one whose roles change has an invitation to the new ones", async () => {
		const open = (name: string) =>
			inviteOperator(shop.shop, { email: `${name}@bureau.example`, name, roles: ["serve", "refund"], invitedBy: "test" });
		const findId = async (email: string) =>
			(await shop.shop.db.selectFrom("operators.user").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;
		const [ida, jim] = [await createOperator(shop, "ida", ["serve", "refund"]), await createOperator(shop, "jim", ["serve", "refund"])];
		const [idaUrl, jimUrl] = [await open("ida"), await open("jim")];
		await boss.post("/bureau/equipe", { act: "end-operator", key: crypto.randomUUID(), person: await findId(ida.email) });
		const jimId = await findId(jim.email);
		await boss.post("/bureau/equipe", { act: "change-roles", key: crypto.randomUUID(), person: jimId, "role-serve": "on" });
		const accept = (url: string) => createBrowser(shop.url).post(new URL(url).pathname, { password: "une longue phrase de passe" });
		expect((await accept(idaUrl)).status).toBe(302);
		expect((await accept(jimUrl)).status).toBe(200);
		expect((await findOperator(shop.shop.db, jimId))?.roles).toEqual(["serve"]);
		expect((await findOperator(shop.shop.db, await findId(ida.email)))?.leftAt).not.toBeNull();
	});

	test("is never the last one who can invite, nor by an invitation with fewer roles", async () => {
		const { id } = await shop.shop.db.selectFrom("operators.user").select("id").where("email", "=", boss.email).executeTakeFirstOrThrow();
		const answer = await boss.post("/bureau/equipe", { act: "change-roles", key: crypto.randomUUID(), person: id, "role-serve": "on" });
		expect(await answer.text()).toContain("C’est la dernière personne");
		const url = await inviteOperator(shop.shop, { email: boss.email, name: "Ada", roles: ["serve"], invitedBy: "test" });
		await createBrowser(shop.url).post(new URL(url).pathname, { password: boss.password });
		expect((await findOperator(shop.shop.db, id))?.roles.sort()).toEqual(["serve", "settings"]);
	});
});

test("a stolen laptop: all sessions end at once", async () => {
	const tom = await createOperator(shop, "Tom", ["serve"]);
	const laptop = createBrowser(shop.url);
	for (const [name, value] of tom.cookies) laptop.cookies.set(name, value);
	expect((await tom.post("/bureau/mon-acces", { do: "end-all" })).headers.get("location")).toBe("/bureau/connexion?termine");
	expect((await laptop.ask("/bureau/commandes")).status).toBe(302);
});
