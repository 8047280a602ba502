import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { deleteRows } from "../../../test/delete-rows.ts";
import { createBrowser, createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder, insertPayment } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { serviceCodes, services } from "../../catalogue/services.ts";
import { listSettingChanges, readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { defaultSettings } from "../../catalogue/settings/shop-settings.ts";
import { readSettingsData } from "./read-settings.server.ts";

/** The settings, the held refunds and the alerts, as browsers without JavaScript use them. */

const vapid = {
	VAPID_PUBLIC_KEY: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
	VAPID_PRIVATE_KEY: "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789_-AbCdE",
};
let shop: TestShop;
let boss: TestOperator;
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "silent", ISSUER: "manual", ...vapid } });
	boss = await createOperator(shop, "Ada", ["settings", "refund", "serve"]);
});
afterAll(() => shop?.close());
beforeEach(() => deleteRows(shop.shop.db, "shop_settings"));

const plain = (html: string) =>
	html
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("<!-- -->", "")
		.replaceAll("&#x27;", "'");
const send = async (path: string, act: string, fields: Record<string, string> = {}) => {
	const answer = await boss.post(path, { act, key: crypto.randomUUID(), ...fields });
	return plain(await answer.text());
};
const change = (act: string, fields?: Record<string, string>) => send("/bureau/reglages", act, fields);

test("closing and reopening the shop is one form each; the page shows who did it and what the site says", async () => {
	expect(await change("close-shop", { until: "", sentence: "Le registre est en panne." })).toContain(
		"C’est enregistré. Le site l’affiche dès maintenant.",
	);
	await vi.waitFor(
		async () => expect(plain(await (await shop.ask("/")).text())).toContain("Les commandes sont suspendues pour le moment."),
		scaledTimeout(10_000),
	);
	const page = plain(await (await boss.ask("/bureau/reglages")).text());
	expect(page).toContain("Fermée jusqu’à nouvel ordre, avec la phrase « Le registre est en panne. »");
	expect(page).toContain("Les commandes sont suspendues pour le moment.");
	expect(page).toContain("Rouvrir la boutique");
	await change("reopen-shop");
	expect(await readSettings(shop.shop.db)).toEqual(defaultSettings);
	const [last] = await listSettingChanges(shop.shop.db, 1);
	expect(last).toMatchObject({ name: "closure", changed_by: "Ada", operator_id: expect.stringMatching(/^[\da-f-]{36}$/) });
	const trail = plain(await (await boss.ask("/bureau/journal")).text());
	expect(trail).toContain("Rouvrir la boutique");
	expect(trail).toMatch(/Boutique : fermée jusqu’à nouvel ordre.* → ouverte/);
});

/** An ISO day, so many days ahead of the real clock, by which sessions end. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const [first, last] = [inDays(40), inDays(42)];

test.each<[string, Record<string, string>, object]>([
	["pause-express", { until: `${first}T14:00` }, { expressPause: { until: expect.stringContaining(first) } }],
	["pause-express", { until: "" }, { expressPause: { until: null } }],
	["add-days-off", { from: first, to: last }, { daysOff: [{ from: first, to: last }] }],
	["add-days-off", { from: first, to: "" }, { daysOff: [{ from: first, to: first }] }],
	[
		"set-capacity",
		{ all: "40", express: "12", standard: "", postal: "" },
		{ capacity: { all: 40, express: 12, standard: null, postal: null } },
	],
	["set-pace", { pace: "48" }, { pace: 48 }],
	["set-refund-brake", { refunds: "20", euros: "1000" }, { refundBrake: { refunds: 20, cents: 100_000 } }],
	["read-bulletin", {}, { bulletinReading: true }],
])("%s with %j", async (act, fields, expected) => {
	expect(await change(act, fields)).toContain("C’est enregistré.");
	expect(await readSettings(shop.shop.db)).toMatchObject(expected);
});

test("what was set is taken back by its own form", async () => {
	await change("pause-express", { until: "" });
	await change("add-days-off", { from: first, to: last });
	await change("read-bulletin");
	expect((await readSettingsData(shop.shop)).bulletin).toEqual({
		on: true,
		current: false,
		text: "En marche, et rien n’est encore relevé.",
	});
	expect(await change("stop-bulletin")).toContain("C’est enregistré.");
	expect((await readSettingsData(shop.shop)).bulletin).toMatchObject({ on: false, current: false });
	expect(await change("resume-express")).toContain("C’est enregistré.");
	expect(await readSettings(shop.shop.db)).toMatchObject({ expressPause: null, daysOff: [{ from: first, to: last }] });
	expect(await change("remove-days-off", { from: first, to: last })).toContain("C’est enregistré.");
	expect(await readSettings(shop.shop.db)).toEqual(defaultSettings);
});

test("each service has its limit: a field of the page, and words that say it", async () => {
	for (const code of ["all", ...serviceCodes] as const) {
		await change("set-capacity", { [code]: "7" });
		expect(await readSettings(shop.shop.db)).toMatchObject({ capacity: { [code]: 7 } });
		const page = plain(await (await boss.ask("/bureau/reglages")).text());
		expect(page, code).toMatch(new RegExp(`<input[^>]* name="${code}"[^>]* value="7"`));
		expect(page, code).toContain(`7 ${code === "all" ? "en tout" : services[code].name}`);
	}
});

test("the page has the days off with their year, and the brake in euros", async () => {
	await change("add-days-off", { from: first, to: last });
	await change("set-refund-brake", { refunds: "20", euros: "1000" });
	const read = () => readSettingsData(shop.shop);
	const { daysOff, brake, closed, expressPaused, changes } = await read();
	expect(daysOff).toMatchObject([{ from: first, to: last, label: expect.stringMatching(/^du .+ 20\d\d$/) }]);
	expect([brake, closed, expressPaused]).toEqual([{ refunds: 20, euros: 1000 }, false, false]);
	expect(changes.slice(0, 2)).toMatchObject([{ by: "Ada" }, { by: "Ada" }]);
	expect(plain(changes[0]?.after ?? "")).toMatch(/20 .*1 ?000/);
	await change("set-refund-brake", { refunds: "20", euros: "" });
	expect((await read()).brake).toEqual({ refunds: 20, euros: null });
});

test.each<[string, Record<string, string>, string]>([
	["close-shop", { until: "hier" }, "Cette fin ne se lit pas."],
	["close-shop", { until: "2020-01-01T08:00" }, "Cette fin ne convient pas"],
	["add-days-off", { from: "31/02/2027" }, "Ce jour ne se lit pas."],
	["add-days-off", { from: "2020-01-01" }, "Ces jours ne conviennent pas"],
	["set-capacity", { all: "douze" }, "Cette limite ne se lit pas"],
	["set-pace", { pace: "0" }, "Cette limite ne se lit pas"],
	["set-pace", { pace: "4,5" }, "Cette limite ne se lit pas"],
	["set-refund-brake", { refunds: "0" }, "Cette limite ne se lit pas"],
	["reopen-shop", {}, "Ce réglage est déjà en place"],
])("%s with %j is refused with a sentence", async (act, fields, sentence) => {
	expect(await change(act, fields)).toContain(sentence);
	expect(await readSettings(shop.shop.db)).toEqual(defaultSettings);
});

test("the same form sent twice is one change", async () => {
	const before = (await listSettingChanges(shop.shop.db, 1000)).length;
	const fields = { act: "pause-express", key: crypto.randomUUID(), until: "" };
	await Promise.all([boss.post("/bureau/reglages", fields), boss.post("/bureau/reglages", fields)]);
	expect(await listSettingChanges(shop.shop.db, 1000)).toHaveLength(before + 1);
});

test("held refunds are listed, and leave one by one or all at once", async () => {
	const { db } = shop.shop;
	const hold = async (company_name: string) => {
		const now = shop.shop.now();
		const order = await insertOrder(db, { created_at: now, status: "processing", paid_at: now, late_at: now, company_name });
		const payment = await insertPayment(db, order, { created_at: now });
		const held_until = new Date(now.getTime() + 86_400_000);
		const refund = { id: crypto.randomUUID(), order_id: order.id, payment_id: payment.id, amount_cents: payment.amount_cents };
		await db
			.insertInto("refunds")
			.values({ ...refund, reason: "late", status: "requested", requested_at: now, held_until })
			.execute();
		return order;
	};
	const orders = [await hold("ALPHA"), await hold("BETA"), await hold("GAMMA")];
	// who may let them go reads of them on every page
	const server = await createOperator(shop, "Sam", ["serve"]);
	const banner = "3 remboursements de retard attendent votre décision : 177,00 €.";
	for (const path of ["/bureau/commandes", "/bureau/reglages", "/bureau/mon-acces"]) {
		const html = plain(await (await boss.ask(path)).text());
		expect(html, path).toContain(banner);
		expect(html, path).toContain('href="/bureau/argent#retenus"');
	}
	expect(plain(await (await server.ask("/bureau/commandes")).text())).not.toContain("votre décision");
	const page = plain(await (await boss.ask("/bureau/argent")).text());
	expect(page).toContain("Faire partir les 3 : 177,00 €");
	for (const { order_number } of orders) expect(page).toContain(order_number);
	expect(await send("/bureau/argent", "release-refund", { order: orders[0]?.id ?? "" })).toContain(
		"Le remboursement de 59,00 € part maintenant.",
	);
	expect(plain(await (await boss.ask("/bureau/commandes")).text())).toContain(
		"2 remboursements de retard attendent votre décision : 118,00 €.",
	);
	expect(await send("/bureau/argent", "release-refunds")).toContain("2 remboursements partent maintenant : 118,00 €.");
	expect(plain(await (await boss.ask("/bureau/commandes")).text())).not.toContain("votre décision");
	expect(plain(await (await boss.ask("/bureau/argent")).text())).toContain("Aucun remboursement n’attend.");
	expect(await send("/bureau/argent", "release-refunds")).toContain("Plus aucun remboursement n’est retenu ici");
});

test("an operator says their duty, and inscribes this device; without JavaScript the page comes back", async () => {
	const post = (fields: Record<string, string>, accept = "application/json") =>
		boss.ask("/bureau/alertes", { method: "POST", body: new URLSearchParams(fields), headers: { accept } });
	expect(plain(await (await boss.ask("/bureau/mon-acces")).text())).toContain("Je ne suis plus de service");
	const led = await post({ do: "off-duty" }, "text/html");
	expect([led.status, led.headers.get("location")]).toEqual([303, "/bureau/mon-acces"]);
	expect(plain(await (await boss.ask("/bureau/mon-acces")).text())).toContain("Je suis de service");
	const endpoint = "https://fcm.googleapis.com/fcm/send/abc";
	const device = JSON.stringify({ endpoint, keys: { p256dh: vapid.VAPID_PUBLIC_KEY, auth: "tBHItJI5svbpez7KI4CCXg" } });
	expect(await (await post({ do: "subscribe", device })).json()).toMatchObject({ ok: true });
	expect(await (await post({ do: "subscribe", device: '{"endpoint":"https://127.0.0.1/"}' })).json()).toMatchObject({ ok: false });
	expect(plain(await (await boss.ask("/bureau/reglages")).text())).toContain("Un de vos appareils est inscrit.");
	await post({ do: "unsubscribe", device: endpoint });
	expect(await shop.shop.db.selectFrom("push_subscriptions").selectAll().execute()).toEqual([]);
});

test("the desk is an app of the home screen, linked by its own pages alone", async () => {
	const browser = createBrowser(shop.url);
	const answer = await browser.ask("/bureau/app.webmanifest");
	expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/manifest+json; charset=utf-8"]);
	const manifest = (await answer.json()) as { icons: { src: string; type: string }[] };
	expect(manifest).toMatchObject({ short_name: "Bureau", display: "standalone", start_url: "/bureau", scope: "/bureau" });
	for (const { src, type } of manifest.icons) expect((await browser.ask(src)).headers.get("content-type")).toContain(type);
	const page = await boss.ask("/bureau/mon-acces");
	expect(await page.text()).toContain('rel="manifest" href="/bureau/app.webmanifest"');
	expect(page.headers.get("content-security-policy")).toContain("manifest-src 'self'");
	const order = await shop.ask("/commande");
	expect(order.headers.get("content-security-policy")).not.toContain("manifest-src");
	expect(await order.text()).not.toContain("webmanifest");
});

test("the service worker is served from the desk, without a session, and allowed by its pages alone", async () => {
	const worker = await createBrowser(shop.url).ask("/bureau/sw.js");
	expect([worker.status, worker.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
	expect(await worker.text()).toContain("showNotification");
	expect((await boss.ask("/bureau/reglages")).headers.get("content-security-policy")).toContain("worker-src 'self'");
	expect((await shop.ask("/commande")).headers.get("content-security-policy")).not.toContain("worker-src");
});
