import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteRows } from "../../../test/delete-rows.ts";
import { insertOrder } from "../../../test/orders.ts";
import { createSpaceShop, readCookie, readPlain, type SpaceShop } from "../../../test/shops/customer-space.ts";
import { erasePerson } from "../../desk/retention/erase-person.server.ts";
import { exportPerson } from "../../desk/retention/export-person.server.ts";
import { purge } from "../../desk/retention/purge.server.ts";

let shop: SpaceShop;
const lines: string[] = [];
const email = "ada@example.fr";
beforeAll(async () => {
	shop = await createSpaceShop({ LOG_LEVEL: "debug" }, (line) => lines.push(line));
	await insertOrder(shop.shop.db, { created_at: shop.shop.now(), customer_email: "Ada@Example.fr", company_name: "ADA CONSEIL" });
});
afterAll(() => shop?.stop());
beforeEach(async () => {
	await shop.resetLimits();
	shop.smtp.mails.length = 0;
	await deleteRows(shop.shop.db, 'customers."user"', "customers.verification");
});

const privatePage = { "cache-control": "no-store", "referrer-policy": "strict-origin", "x-robots-tag": "noindex" };
const headersOf = (answer: Response) => Object.fromEntries(answer.headers);
const countSessions = async () => (await shop.shop.db.selectFrom("customers.session").select("id").execute()).length;

describe("asking for the link", () => {
	test("the answer is the same for a known and an unknown address; only the known one gets an e-mail", async () => {
		const [known, unknown] = [await shop.askForLink(email), await shop.askForLink("nobody@example.fr")];
		const read = async (answer: Response) => [
			answer.status,
			answer.headers.get("location"),
			await answer.text(),
			answer.headers.getSetCookie(),
		];
		expect(await read(known)).toEqual([303, "/mes-commandes?demande=1", "", []]);
		expect(await read(unknown)).toEqual(await read(await shop.askForLink("nobody@example.fr")));
		await shop.waitForLinks();
		expect(shop.smtp.mails.map(({ to }) => to)).toEqual([["ada@example.fr"]]);
		const page = await shop.ask("/mes-commandes?demande=1");
		expect(headersOf(page)).toMatchObject(privatePage);
		expect(page.headers.getSetCookie()).toEqual([]);
		expect(await readPlain(page)).toContain("Si des commandes ont été passées avec cette adresse");
	});

	test("the form is private, needs no script and sets no cookie", async () => {
		const page = await shop.ask("/mes-commandes");
		expect(headersOf(page)).toMatchObject(privatePage);
		expect(page.headers.getSetCookie()).toEqual([]);
		expect(await page.text()).not.toMatch(/<script(?! type="application\/ld\+json")/);
	});

	test("a wrong address is refused beside its field, and a robot's request sends nothing", async () => {
		const refused = await shop.askForLink("ada@");
		expect([refused.status, await readPlain(refused)]).toEqual([400, expect.stringContaining("Format d'email invalide")]);
		expect((await shop.askForLink(email, { fields: { website: "x" } })).status).toBe(303);
		await shop.waitForLinks();
		expect(shop.smtp.mails).toEqual([]);
	});

	test("a mailbox gets one e-mail in five minutes, also when many ask at once", async () => {
		const answers = await Promise.all(Array.from({ length: 20 }, () => shop.askForLink(email)));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
		await shop.waitForLinks();
		expect(shop.smtp.mails).toHaveLength(1);
	});

	test("a mailbox gets five e-mails a day, four of them at the request of one client", async () => {
		const ask = async (from: string) => {
			await sql`delete from rate_limits where key like 'customer-link-spacing:%'`.execute(shop.shop.db);
			await shop.askForLink(email, { from });
			await shop.waitForLinks();
		};
		for (let count = 0; count < 6; count++) await ask("10.9.0.1");
		expect(shop.smtp.mails).toHaveLength(4);
		for (let count = 0; count < 3; count++) await ask(`10.9.1.${count}`);
		expect(shop.smtp.mails).toHaveLength(5);
	});

	test("an order that was never paid lets its address have e-mails for a day only", async () => {
		const unpaid = "stranger@example.fr";
		const { id } = await insertOrder(shop.shop.db, { created_at: shop.shop.now(), customer_email: unpaid });
		expect(await shop.getLink(unpaid)).toContain("/mes-commandes/lien/");
		const age = (values: { created_at: Date; paid_at?: Date }) =>
			shop.shop.db.updateTable("orders").set(values).where("id", "=", id).execute();
		const yesterday = new Date(shop.shop.now().getTime() - 25 * 3_600_000);
		await age({ created_at: yesterday });
		shop.smtp.mails.length = 0;
		await shop.resetLimits();
		expect((await shop.askForLink(unpaid)).status).toBe(303);
		await shop.waitForLinks();
		expect(shop.smtp.mails).toEqual([]);
		await age({ created_at: yesterday, paid_at: yesterday });
		expect(await shop.getLink(unpaid)).toContain("/mes-commandes/lien/");
	});

	test("a client asks ten times an hour", async () => {
		const answers = await Promise.all(
			Array.from({ length: 12 }, (_, index) => shop.askForLink(`a${index}@example.fr`, { from: "10.8.0.1" })),
		);
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(2);
		expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
	});
});

describe("the link", () => {
	test("its page has a button, is private, and neither opening nor HEAD uses it", async () => {
		const link = await shop.getLink(email);
		for (const method of ["GET", "HEAD", "GET"]) {
			const page = await shop.ask(link, { method });
			expect(page.status).toBe(200);
			expect(headersOf(page)).toMatchObject(privatePage);
			expect(page.headers.getSetCookie()).toEqual([]);
			if (method === "GET") expect(await readPlain(page)).toContain("Ouvrir mes commandes</button>");
		}
		expect(await countSessions()).toBe(0);
		const opened = await shop.pressButton(link);
		expect([opened.status, opened.headers.get("cache-control")]).toEqual([303, "no-store"]);
		expect(await countSessions()).toBe(1);
	});

	test("fifty uses at once open one session", async () => {
		const link = await shop.getLink(email);
		const answers = await Promise.all(Array.from({ length: 50 }, () => shop.pressButton(link)));
		expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
		expect(answers.filter((answer) => answer.status === 410 && answer.headers.getSetCookie().length === 0)).toHaveLength(49);
		expect(await countSessions()).toBe(1);
	});

	test.each([
		["used", async (link: string) => void (await shop.pressButton(link))],
		[
			"too old",
			async () => void (await sql`update customers.verification set expires_at = now() - interval '1 second'`.execute(shop.shop.db)),
		],
		["older than one that was used", async () => void (await shop.signIn(email))],
	])("does nothing once it is %s", async (_name, end) => {
		const link = await shop.getLink(email);
		await end(link);
		const sessions = await countSessions();
		const page = await shop.ask(link);
		expect([page.status, await readPlain(page)]).toEqual([410, expect.stringContaining("Ce lien ne fonctionne plus")]);
		const pressed = await shop.pressButton(link);
		expect([pressed.status, pressed.headers.getSetCookie()]).toEqual([410, []]);
		expect(await countSessions()).toBe(sessions);
	});

	test("works for a quarter of an hour; two that were asked for both work until one is used", async () => {
		const [first, second] = [await shop.getLink(email), await shop.getLink(email)];
		expect(first).not.toBe(second);
		const rows = await shop.shop.db.selectFrom("customers.verification").selectAll().execute();
		for (const { expires_at, created_at } of rows) expect(Math.round((expires_at.getTime() - created_at.getTime()) / 60_000)).toBe(15);
		expect((await shop.ask(first)).status).toBe(200);
		expect((await shop.pressButton(second)).status).toBe(303);
		expect((await shop.pressButton(first)).status).toBe(410);
	});

	test("an altered or invented one does nothing", async () => {
		const link = await shop.getLink(email);
		const altered = link.slice(0, -1) + (link.endsWith("a") ? "b" : "a");
		for (const wrong of [
			altered,
			`${link}x`,
			"/mes-commandes/lien/x",
			"/mes-commandes/lien/'",
			`/mes-commandes/lien/${"a".repeat(1500)}`,
		]) {
			expect((await shop.ask(wrong)).status).toBe(410);
			expect((await shop.pressButton(wrong)).status).toBe(410);
		}
		expect((await shop.pressButton(link)).status).toBe(303);
	});

	test("its button on another site does nothing", async () => {
		const link = await shop.getLink(email);
		expect((await shop.pressButton(link, { origin: "https://elsewhere.example" })).status).toBe(403);
		expect((await shop.pressButton(link, { "sec-fetch-site": "cross-site" })).status).toBe(403);
		expect((await shop.ask(link)).status).toBe(200);
	});

	test("the database has its hash only, and the log neither link nor address", async () => {
		lines.length = 0;
		const link = await shop.getLink(email);
		const token = link.split("/").at(-1) ?? "";
		expect(token).toMatch(/^[\w-]{43}$/);
		const stored = JSON.stringify(await shop.shop.db.selectFrom("customers.verification").selectAll().execute());
		expect(stored).not.toContain(token);
		const cookie = readCookie(await shop.pressButton(link));
		await shop.visit("/mes-commandes?q=ada", cookie);
		const log = lines.join("\n");
		expect(log).toContain("/mes-commandes/lien/:token");
		for (const secret of [token, email, "Ada@Example.fr", cookie.split("=")[1] ?? "", "q=ada"]) expect(log).not.toContain(secret);
	});
});

describe("a session", () => {
	test("is in a cookie for this space, and in one for the pages of orders, for thirty days", async () => {
		const answer = await shop.pressButton(await shop.getLink(email));
		const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split("; "));
		expect(cookies.map(([, ...attributes]) => attributes.sort())).toEqual(
			["/mes-commandes", "/suivi"].map((path) => ["HttpOnly", "Max-Age=2592000", `Path=${path}`, "SameSite=Lax"]),
		);
		expect(cookies[0]?.[0]).toMatch(/^mes-commandes\.session_token=./);
		expect(cookies[1]?.[0]).toBe(cookies[0]?.[0]);
	});

	test("shows the mailbox's orders, and nothing once it is closed, however the address of the order is spelt", async () => {
		const cookie = await shop.signIn(" ADA@example.fr".trim().toLowerCase());
		const page = await shop.visit("/mes-commandes", cookie);
		expect(headersOf(page)).toMatchObject(privatePage);
		expect(await readPlain(page)).toContain("ADA CONSEIL");
		const left = await shop.submit("/mes-commandes", cookie, { do: "quit" });
		expect([left.status, left.headers.getSetCookie()]).toEqual([
			303,
			[
				...["/mes-commandes", "/suivi"].map((path) =>
					expect.stringMatching(new RegExp(`^mes-commandes\\.session_token=;.*Max-Age=0;.*Path=${path};`)),
				),
				...Array(4).fill(expect.stringMatching(/^saisie=; Max-Age=0/)),
			],
		]);
		expect(await countSessions()).toBe(0);
		expect(await readPlain(await shop.visit("/mes-commandes", cookie))).not.toContain("ADA CONSEIL");
		expect((await shop.submit("/mes-commandes", "", { do: "quit" })).status).toBe(303);
	});

	test.each(["factures", "factures/achats-2026.csv", "identites", "connexions", "commande/KB-7F3K-92QD"])(
		"without one, /mes-commandes/%s leads to the form and sets no cookie",
		async (path) => {
			for (const cookie of ["", "mes-commandes.session_token=x", "mes-commandes.session_token=abc.def%3D; suivi=x"]) {
				const answer = await shop.visit(`/mes-commandes/${path}`, cookie);
				expect([answer.status, answer.headers.get("location"), answer.headers.getSetCookie()]).toEqual([303, "/mes-commandes", []]);
				expect(answer.headers.get("cache-control")).toBe("no-store");
			}
		},
	);

	test("one that is altered, or has expired, opens nothing", async () => {
		const cookie = await shop.signIn(email);
		const altered = cookie.replace(/.(?=\.)/, (letter) => (letter === "a" ? "b" : "a"));
		expect(await readPlain(await shop.visit("/mes-commandes", altered))).not.toContain("ADA CONSEIL");
		await sql`update customers.session set expires_at = now() - interval '1 second'`.execute(shop.shop.db);
		expect(await readPlain(await shop.visit("/mes-commandes", cookie))).not.toContain("ADA CONSEIL");
	});

	test("the others are listed by browser, and closed one by one or together, at once", async () => {
		const own = await shop.signIn(email, "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0");
		const phone = await shop.signIn(email, "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1");
		const [third, fourth] = [await shop.signIn(email, '"><script>alert(1)</script>'), await shop.signIn(email)];
		const html = await readPlain(await shop.visit("/mes-commandes/connexions", own));
		expect(html).toContain("Firefox, Windows (ce navigateur)");
		expect(html).toContain("Safari, iPhone");
		expect(html).not.toContain("alert(1)");
		const sessions = await shop.shop.db.selectFrom("customers.session").select(["id", "user_agent", "ip_address"]).execute();
		expect(sessions.map(({ ip_address }) => ip_address)).toEqual(["", "", "", ""]);
		const id = sessions.find(({ user_agent }) => user_agent?.includes("iPhone"))?.id ?? "";
		expect((await shop.submit("/mes-commandes/connexions", own, { do: "end", session: id })).status).toBe(303);
		expect((await shop.visit("/mes-commandes/connexions", phone)).status).toBe(303);
		expect((await shop.visit("/mes-commandes/connexions", third)).status).toBe(200);
		await shop.submit("/mes-commandes/connexions", own, { do: "end-others" });
		for (const ended of [third, fourth]) expect((await shop.visit("/mes-commandes/connexions", ended)).status).toBe(303);
		expect((await shop.visit("/mes-commandes/connexions", own)).status).toBe(200);
	});

	test("nobody closes a session of another mailbox", async () => {
		await insertOrder(shop.shop.db, { created_at: shop.shop.now(), customer_email: "eve@example.fr" });
		const [ada, eve] = [await shop.signIn(email), await shop.signIn("eve@example.fr")];
		const sessions = await shop.shop.db.selectFrom("customers.session").select("id").execute();
		for (const { id } of sessions.slice(0, 1)) await shop.submit("/mes-commandes/connexions", eve, { do: "end", session: id });
		await shop.submit("/mes-commandes/connexions", eve, { do: "end-others" });
		await shop.submit("/mes-commandes/connexions", eve, { do: "end", session: "x" });
		expect((await shop.visit("/mes-commandes/connexions", ada)).status).toBe(200);
	});
});

describe("personal data", () => {
	test("an export lists the sessions, and an erasure ends them and the links", async () => {
		const cookie = await shop.signIn(email, "Firefox/140.0");
		await shop.getLink(email);
		const { customer_sessions } = await exportPerson(shop.shop, email);
		expect(customer_sessions).toMatchObject([{ user_agent: "Firefox/140.0" }]);
		expect(await erasePerson(shop.shop, "ADA@example.fr ")).toMatchObject({ customerSessions: 1 });
		expect((await shop.visit("/mes-commandes/connexions", cookie)).status).toBe(303);
		for (const table of ["customers.user", "customers.verification"] as const)
			expect(await shop.shop.db.selectFrom(table).select("id").execute()).toEqual([]);
	});

	test("the purge deletes sessions and links that have expired, and mailboxes without a session", async () => {
		const { db } = shop.shop;
		const kept = await shop.signIn(email);
		await insertOrder(db, { created_at: shop.shop.now(), customer_email: "old@example.fr" });
		await shop.signIn("old@example.fr");
		await shop.getLink("old@example.fr");
		await sql`update customers.session set expires_at = now() where user_id in (select id from customers."user" where email = 'old@example.fr')`.execute(
			db,
		);
		await sql`update customers.verification set expires_at = now()`.execute(db);
		await sql`update customers."user" set updated_at = now() - interval '2 days'`.execute(db);
		expect(await purge(shop.shop)).toMatchObject({ customerSessions: 2 });
		expect(await db.selectFrom("customers.user").select("email").execute()).toEqual([{ email }]);
		expect((await shop.visit("/mes-commandes/connexions", kept)).status).toBe(200);
	});
});
