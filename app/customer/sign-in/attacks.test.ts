import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertOrder, type OrderValues } from "../../../test/orders.ts";
import { createSpaceShop, readCookie, readPlain, type SpaceShop } from "../../../test/shops/customer-space.ts";
import { updateOrder } from "../../orders/orders.store.server.ts";

// What a hostile visitor tries on « Mes commandes ». Bursts, used links and altered cookies are in signing-in.test.ts.

let shop: SpaceShop;
const [ada, eve] = ["ada@example.fr", "eve@example.fr"];
beforeAll(async () => {
	shop = await createSpaceShop();
	for (const customer_email of [ada, eve]) await add({ customer_email, company_name: `SOCIÉTÉ DE ${customer_email.slice(0, 3)}` });
});
afterAll(() => shop?.stop());
beforeEach(async () => {
	await shop.resetLimits();
	shop.smtp.mails.length = 0;
});

const add = (values: OrderValues) => insertOrder(shop.shop.db, { ...values, created_at: shop.shop.now() });
const countSessions = async () => (await shop.shop.db.selectFrom("customers.session").select("id").execute()).length;

test("no form of another site does anything, however its browser says so", async () => {
	const cookie = await shop.signIn(ada);
	const { order_number } = await add({ customer_email: ada });
	const sessions = await countSessions();
	const origins: Record<string, string>[] = [
		{ origin: "https://elsewhere.example" },
		{ origin: "null" },
		{ "sec-fetch-site": "cross-site" },
	];
	const forms = [
		["/mes-commandes", { email: ada }],
		["/mes-commandes", { do: "quit" }],
		["/mes-commandes/connexions", { do: "end-others" }],
		["/mes-commandes/identites", { number: order_number }],
		[`/mes-commandes/commande/${order_number}`, {}],
		[`/mes-commandes/commande/${order_number}`, { ensemble: "1" }],
	] as const;
	for (const [path, fields] of forms)
		for (const from of origins) {
			const answer = await shop.postForm(path, fields, { cookie, ...from });
			expect([path, from, answer.status, answer.headers.getSetCookie()]).toEqual([path, from, 403, []]);
		}
	await shop.waitForLinks();
	expect([await countSessions(), shop.smtp.mails.filter(({ content }) => content.subject?.includes("lien")).length]).toEqual([sessions, 1]);
});

test("a session that somebody planted in the browser is not the one that the link opens", async () => {
	const planted = await shop.signIn(eve);
	const link = await shop.getLink(ada);
	for (const cookie of [planted, "mes-commandes.session_token=chosen.by-somebody"]) {
		expect((await shop.ask(link, { headers: { cookie } })).headers.getSetCookie()).toEqual([]);
	}
	const opened = readCookie(await shop.pressButton(link, { cookie: planted }));
	expect(opened).not.toBe(planted);
	expect(await readPlain(await shop.visit("/mes-commandes", opened))).toContain("SOCIÉTÉ DE ada");
	expect(await readPlain(await shop.visit("/mes-commandes", planted))).not.toContain("SOCIÉTÉ DE ada");
});

test("no parameter leads out of the shop", async () => {
	const cookie = await shop.signIn(ada);
	for (const name of ["next", "redirectTo", "callbackURL", "returnTo"]) {
		const outside = `${name}=https%3A%2F%2Felsewhere.example`;
		expect((await shop.visit(`/mes-commandes/factures?${outside}`, "")).headers.get("location")).toBe("/mes-commandes");
		const link = await shop.getLink(eve);
		expect((await shop.pressButton(`${link}?${outside}`)).headers.get("location")).toBe("/mes-commandes");
		expect(
			(await shop.submit(`/mes-commandes?${outside}`, "", { do: "quit", [name]: "//elsewhere.example" })).headers.get("location"),
		).toBe("/mes-commandes");
	}
	for (const number of ["//elsewhere.example", "https:elsewhere.example", "..%2F..%2F", "%0d%0aLocation:%20x"])
		expect((await shop.visit(`/mes-commandes/commande/${encodeURIComponent(number)}`, cookie)).headers.get("location")).toBe(
			"/mes-commandes",
		);
});

test.each([
	["two addresses", `${ada}, ${eve}`],
	["two addresses without a blank", `${ada},${eve}`],
	["another header", `${ada}\r\nBcc: ${eve}`],
	["an encoded header", `${ada}%0d%0aBcc:${eve}`],
	["a comment", `ada(x)@example.fr`],
	["quotes", `"ada"@example.fr`],
	["a second @", `${ada}@elsewhere.example`],
	["a NUL", `${ada}\u0000`],
	["a letter that no line shows", `ada\u202e@example.fr`],
	["an endless name", `${"a".repeat(300)}@example.fr`],
])("an address with %s sends nothing to anybody", async (_name, typed) => {
	const answer = await shop.askForLink(typed);
	await shop.waitForLinks();
	expect([[303, 400].includes(answer.status), shop.smtp.mails]).toEqual([true, []]);
});

test("an address with a name around it is that mailbox alone", async () => {
	expect((await shop.askForLink(`Eve, ${eve.split("@")[0]} <${ada}>`)).status).toBe(303);
	await shop.waitForLinks();
	expect(shop.smtp.mails.map(({ to }) => to)).toEqual([[ada]]);
});

test("two fields with an address are one request for one mailbox at most", async () => {
	const answer = await shop.ask("/mes-commandes", {
		method: "POST",
		headers: { "content-type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams([
			["email", ada],
			["email", eve],
		]),
	});
	expect([303, 400]).toContain(answer.status);
	await shop.waitForLinks();
	expect(shop.smtp.mails.flatMap(({ to }) => to).filter((to) => to !== ada)).toEqual([]);
});

test("letters that only look alike, dots and tags open no other mailbox", async () => {
	// the database takes the second for « k » and, with some collations, the first for « i »
	const orders = ["\u0130ris@example.fr", "\u212Aim@example.fr", "vict\u0131m@example.fr", "a.da@example.fr", "ada+x@example.fr"];
	for (const customer_email of orders) await add({ customer_email, company_name: "SOCIÉTÉ DU MALFAITEUR" });
	for (const mailbox of ["iris@example.fr", "kim@example.fr", "victim@example.fr"]) {
		expect((await shop.askForLink(mailbox)).status).toBe(303);
		await shop.waitForLinks();
		expect(shop.smtp.mails).toEqual([]);
		await add({ customer_email: mailbox, company_name: "SOCIÉTÉ DE LA VICTIME" });
		const cookie = await shop.signIn(mailbox);
		expect(shop.smtp.mails.map(({ to }) => to)).toEqual([[mailbox]]);
		const html = await readPlain(await shop.visit("/mes-commandes", cookie));
		expect([html.includes("LA VICTIME"), html.includes("MALFAITEUR")]).toEqual([true, false]);
		shop.smtp.mails.length = 0;
	}
	expect(await readPlain(await shop.visit("/mes-commandes", await shop.signIn(ada)))).not.toContain("MALFAITEUR");
});

test("an order whose address the shop corrected is no longer in the first mailbox's open space", async () => {
	const order = await add({ customer_email: eve, company_name: "SOCIÉTÉ MAL ADRESSÉE", status: "completed", paid_at: shop.shop.now() });
	const cookie = await shop.signIn(eve);
	expect(await readPlain(await shop.visit("/mes-commandes", cookie))).toContain("SOCIÉTÉ MAL ADRESSÉE");
	await shop.shop.db.transaction().execute((trx) => updateOrder(trx, order.id, { customer_email: ada }));
	expect(await readPlain(await shop.visit("/mes-commandes", cookie))).not.toContain("SOCIÉTÉ MAL ADRESSÉE");
	const opened = await shop.visit(`/mes-commandes/commande/${order.order_number}`, cookie);
	expect([opened.headers.get("location"), opened.headers.getSetCookie()]).toEqual(["/mes-commandes", []]);
	expect((await shop.submit(`/mes-commandes/commande/${order.order_number}`, cookie, {})).headers.get("location")).toBe("/mes-commandes");
});

test("every page of the space is stored nowhere, framed nowhere and found by no search engine", async () => {
	const cookie = await shop.signIn(ada);
	const { order_number } = await add({ customer_email: ada });
	for (const path of [
		"",
		"/factures",
		"/factures/achats-2026.csv",
		"/factures/x",
		"/identites",
		"/connexions",
		`/commande/${order_number}`,
		"/lien/x",
	])
		for (const as of [cookie, ""]) {
			const { headers } = await shop.visit(`/mes-commandes${path}`, as);
			expect([path, headers.get("cache-control"), headers.get("etag")]).toEqual([path, "no-store", null]);
		}
	const page = await shop.visit("/mes-commandes", cookie);
	expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
	expect(page.headers.get("x-robots-tag")).toContain("noindex");
});
