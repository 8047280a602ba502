import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeBulletin, startFakeBulletin } from "../../../test/fakes/bulletin.ts";
import { recordReading } from "../../../test/publish-notice.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { switchBulletinOn } from "../../../test/watch.ts";
import { setBulletinReading } from "../../catalogue/settings/change-settings.server.ts";
import { describeBulletinState, findBulletinState, isBulletinWatched } from "./find-bulletin-state.server.ts";
import { readBulletin } from "./read-bulletin.server.ts";

// R205: the daily reading of the bulletin, and what it lets pages promise.

let shop: TestShop;
let bulletin: FakeBulletin;
const lines: { level: number; msg: string; reason?: string }[] = [];
/** A Friday at 6 h in Paris. */
const friday = new Date("2026-11-27T05:00:00Z");
let now = friday;
beforeAll(async () => {
	bulletin = await startFakeBulletin();
	const variables = { BODACC_API_BASE: bulletin.base, LOG_LEVEL: "info" };
	shop = await createTestShop({ variables, now: () => now, onLog: (line) => lines.push(JSON.parse(line)) });
});
beforeEach(async () => {
	now = friday;
	bulletin.records = [];
	bulletin.requests.length = 0;
	bulletin.fault = () => undefined;
	lines.length = 0;
	await shop.shop.db.deleteFrom("bulletin_readings").execute();
	await shop.shop.db.deleteFrom("bulletin_notices").execute();
	await shop.shop.db.deleteFrom("shop_settings").execute();
	await switchBulletinOn(shop.shop);
});
afterAll(async () => {
	await shop?.close();
	await bulletin?.close();
});

/** Publishes one notice about DANONE on each of these days of November or December 2026. */
const publish = (...days: string[]) => {
	for (const day of days)
		bulletin.records.push({
			...{ id: `C2026${day.replaceAll("-", "")}1`, publicationavis: "C", parution: day.slice(0, 4), dateparution: day, numeroannonce: 1 },
			...{ typeavis: "annonce", typeavis_lib: "Avis initial", familleavis: "dpc", familleavis_lib: "Dépôts des comptes" },
			...{ tribunal: "GREFFE DU TRIBUNAL DE COMMERCE DE PARIS", registre: "552 032 534,552032534" },
			...{
				listepersonnes: JSON.stringify({
					personne: { typePersonne: "pm", numeroImmatriculation: { numeroIdentification: "552 032 534" } },
				}),
			},
			depot: JSON.stringify({ dateCloture: "2025-12-31", typeDepot: "Comptes annuels et rapports" }),
		} as never);
};
const read = () => readBulletin(shop.shop);
const state = () => findBulletinState(shop.shop.db, now);
const daysAsked = () => [...new Set(bulletin.requests.map(({ day }) => day))].sort();
const countNotices = async () => (await shop.shop.db.selectFrom("bulletin_notices").select("id").execute()).length;

test("is a job of every hour of the day, in Paris time", () => {
	expect(shop.schedules).toContainEqual(
		expect.objectContaining({ name: "read-bulletin", cron: "15 5-23 * * *", timezone: "Europe/Paris" }),
	);
});

describe("the daily reading", () => {
	test("asks nobody while it is switched off", async () => {
		await setBulletinReading(shop.shop, { id: null, name: "Ada" }, false);
		await read();
		expect(bulletin.requests).toEqual([]);
		expect(await state()).toEqual({ state: "off" });
	});

	test("reads up to today, and then nothing more on that day", async () => {
		publish("2026-11-26", "2026-11-27");
		expect(await state()).toEqual({ state: "never" });
		await read();
		expect(await state()).toEqual({ state: "read", readUntil: "2026-11-27", days: 0 });
		expect(daysAsked().at(-1)).toBe("2026-11-27");
		expect(await countNotices()).toBe(2);
		bulletin.requests.length = 0;
		now = new Date("2026-11-27T22:15:00Z");
		await read();
		expect(bulletin.requests).toEqual([]);
	});

	test.each([
		["before 5 h does not count for the day", "2026-11-27T03:59:59Z", true],
		["from 5 h on does", "2026-11-27T04:00:00Z", false],
	])("a reading %s", async (_what, at, again) => {
		now = new Date(at);
		await read();
		bulletin.requests.length = 0;
		now = friday;
		await read();
		expect(bulletin.requests.length > 0).toBe(again);
	});

	test("after days without a process reads all that was missed", async () => {
		publish("2026-11-26", "2026-11-27");
		await read();
		publish("2026-11-30", "2026-12-01", "2026-12-02");
		now = new Date("2026-12-15T05:00:00Z");
		publish("2026-12-15");
		bulletin.requests.length = 0;
		await read();
		expect(daysAsked()).toEqual(expect.arrayContaining(["2026-11-28", "2026-12-01", "2026-12-14", "2026-12-15"]));
		expect(await state()).toEqual({ state: "read", readUntil: "2026-12-15", days: 0 });
		expect(await countNotices()).toBe(6);
	});

	test("that fails is logged, keeps the days before, and goes on within the hour", async () => {
		publish("2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27");
		bulletin.fault = (_, { day }) => (day === "2026-11-26" ? { status: 403 } : undefined);
		await read();
		expect(await state()).toMatchObject({ state: "read", readUntil: "2026-11-25" });
		expect(lines).toContainEqual(
			expect.objectContaining({ level: 50, msg: "the reading of the bulletin stopped early", reason: expect.stringContaining("403") }),
		);
		bulletin.fault = () => undefined;
		now = new Date("2026-11-27T05:15:00Z");
		await read();
		expect(await state()).toMatchObject({ readUntil: "2026-11-27" });
		expect(lines.filter(({ msg }) => msg === "the bulletin was read")).toHaveLength(1);
	});

	test("in two processes at once stores each notice once", async () => {
		publish("2026-11-26", "2026-11-27");
		await Promise.all([read(), read()]);
		expect(await state()).toMatchObject({ readUntil: "2026-11-27" });
		expect(await countNotices()).toBe(2);
	});

	test("of an API that gives no notices promises nothing", async () => {
		await read();
		expect(await state()).toEqual({ state: "never" });
		expect(await isBulletinWatched(shop.shop.db, now)).toBe(false);
	});
});

test.each<[string, { from: string; to: string } | null, string, boolean, string]>([
	["was never read whole", null, "never", false, "En marche, et rien n’est encore relevé."],
	["was read today", { from: "2026-11-01", to: "2026-11-27" }, "read", true, "En marche, complet jusqu’au 27 novembre 2026."],
	["was read four days ago", { from: "2026-11-01", to: "2026-11-23" }, "read", true, "En marche, complet jusqu’au 23 novembre 2026."],
	[
		"was read five days ago",
		{ from: "2026-11-01", to: "2026-11-22" },
		"late",
		true,
		"En retard\u00a0: complet jusqu’au 22 novembre 2026 seulement.",
	],
	[
		"was read seven days ago",
		{ from: "2026-11-01", to: "2026-11-20" },
		"late",
		true,
		"En retard\u00a0: complet jusqu’au 20 novembre 2026 seulement.",
	],
	[
		"was read eight days ago",
		{ from: "2026-11-01", to: "2026-11-19" },
		"late",
		false,
		"En retard\u00a0: complet jusqu’au 19 novembre 2026 seulement.",
	],
])("a bulletin that %s", async (_what, covered, expected, watched, sentence) => {
	await recordReading(shop.shop.db, now, covered);
	const found = await state();
	expect(found.state).toBe(expected);
	expect(describeBulletinState(found)).toBe(sentence);
	expect(await isBulletinWatched(shop.shop.db, now)).toBe(watched);
	expect(await shop.shop.readWatch()).toBe(watched);
	await setBulletinReading(shop.shop, { id: null, name: "Ada" }, false);
	expect(await shop.shop.readWatch()).toBe(false);
	expect(describeBulletinState(await state())).toBe("Arrêté\u00a0: le site ne promet ni surveillance ni alertes.");
});

test("while the database cannot be asked, pages go on as they did", async () => {
	await recordReading(shop.shop.db, now, { from: "2026-11-01", to: "2026-11-27" });
	expect(await shop.shop.readWatch()).toBe(true);
	await shop.shop.db.schema.alterTable("bulletin_readings").renameTo("bulletin_readings_away").execute();
	expect(await shop.shop.readWatch()).toBe(true);
	await shop.shop.db.schema.alterTable("bulletin_readings_away").renameTo("bulletin_readings").execute();
	expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: "whether the bulletin is read could not be found" }));
});
