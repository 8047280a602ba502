import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Changes, listenForChanges } from "../../../server/database/changes.ts";
import { toJson } from "../../../server/database/column-types.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { isFrenchHoliday } from "../holidays.ts";
import { parseOpeningHours } from "../opening-hours.ts";
import {
	addDaysOff,
	closeShop,
	pauseExpress,
	removeDaysOff,
	reopenShop,
	setBooks,
	setCapacity,
	setRefundBrake,
} from "./change-settings.server.ts";
import { describeSetting } from "./describe-settings.ts";
import type { SalesLoad } from "./sales.ts";
import { createSalesReader } from "./settings-memory.server.ts";
import { listSettingChanges, readSettings } from "./shop-settings.store.server.ts";
import { type BooksSettings, defaultSettings } from "./shop-settings.ts";

let fixture: OrderFixture;
let changes: Changes;
beforeAll(async () => {
	fixture = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
	changes = listenForChanges(fixture.connection, fixture.log);
});
afterAll(async () => {
	await changes?.stop();
	await fixture?.close();
});
beforeEach(async () => {
	await deleteRows(fixture.db, "shop_settings");
	fixture.clock.now = fixture.start;
});

const ada = { id: null, name: "Ada" };
const inAnHour = () => new Date(fixture.now().getTime() + 3_600_000);

describe("a change", () => {
	test("is recorded with its author, instant, before and after", async () => {
		await closeShop(fixture, ada, { until: inAnHour(), sentence: "  Panne du\nregistre. " });
		await reopenShop(fixture, { id: null, name: "Grace" });
		const closure = { until: inAnHour().toISOString(), sentence: "Panne du registre." };
		const at = fixture.now();
		expect(await listSettingChanges(fixture.db, 2)).toEqual([
			{ name: "closure", before: closure, after: null, changed_by: "Grace", operator_id: null, changed_at: at },
			{ name: "closure", before: null, after: closure, changed_by: "Ada", operator_id: null, changed_at: at },
		]);
		expect(await readSettings(fixture.db)).toEqual(defaultSettings);
	});

	test("the history only grows", async () => {
		await reopenShop(fixture, ada);
		await expect(sql`update shop_setting_changes set changed_by = 'Eve'`.execute(fixture.db)).rejects.toThrow("append-only");
		await expect(sql`delete from shop_setting_changes`.execute(fixture.db)).rejects.toThrow("append-only");
	});

	test("that changes nothing is not recorded", async () => {
		expect(await reopenShop(fixture, ada)).toEqual({ ok: false, code: "unchanged" });
		await setCapacity(fixture, ada, { all: 40, express: 12 });
		expect(await setCapacity(fixture, ada, { express: 12 })).toEqual({ ok: false, code: "unchanged" });
	});

	test("of how the books are written is described in words; a part that was not stored has its default", async () => {
		const [before, after] = [defaultSettings.books, { ...defaultSettings.books, customers: "collective", yearStart: 7 } as const];
		expect(await setBooks(fixture, ada, after)).toEqual({ ok: true, name: "books", before, after });
		expect(await setBooks(fixture, ada, after)).toEqual({ ok: false, code: "unchanged" });
		expect((await readSettings(fixture.db)).books).toEqual(after);
		expect([before, after].map((books) => describeSetting("books", books, null))).toEqual([
			"un compte auxiliaire par commande, exercice dès janvier",
			"un compte collectif, exercice dès juillet",
		]);
		const ofJournal = (books: Partial<BooksSettings>) => describeSetting("books", { ...before, ...books }, null);
		expect(ofJournal({ layout: "sage100" })).toMatch(/, exercice dès janvier, journal pour Sage 100$/);
		expect(ofJournal({ layout: "own", ownColumns: ["Debit", "-"] })).toMatch(/, journal en colonnes Debit -$/);
		const platform = { id: "A1B2", name: "Plateforme" };
		expect(ofJournal({ platform })).toMatch(/janvier, e-reporting des ventes par mois, plateforme Plateforme \(A1B2\)$/);
		expect(ofJournal({ platform, salesPeriod: "decade" })).toMatch(/, e-reporting des ventes par décade, plateforme/);
		// as it was stored before it had a journal
		expect(describeSetting("books", { customers: "order", yearStart: 2 } as BooksSettings, null)).toMatch(/exercice dès février$/);
		await fixture.db
			.updateTable("shop_settings")
			.set({ value: toJson({ yearStart: 12 }) as never })
			.where("name", "=", "books")
			.execute();
		expect((await readSettings(fixture.db)).books).toEqual({ ...before, yearStart: 12 });
	});

	test("concurrent days off are all kept", async () => {
		const days = ["2026-12-01", "2026-12-03", "2026-12-07", "2026-12-09", "2026-12-11"];
		await Promise.all(days.map((day) => addDaysOff(fixture, ada, { from: day, to: day })));
		expect((await readSettings(fixture.db)).daysOff.map(({ from }) => from)).toEqual(days);
	});

	test.each([
		["an end in the past", () => closeShop(fixture, ada, { until: fixture.now(), sentence: null }), "wrong-end"],
		["an end in a year", () => pauseExpress(fixture, ada, new Date("2027-11-23")), "wrong-end"],
		["days that have passed", () => addDaysOff(fixture, ada, { from: "2026-11-20", to: "2026-11-22" }), "wrong-days"],
		["days in the wrong order", () => removeDaysOff(fixture, ada, { from: "2026-12-02", to: "2026-12-01" }), "wrong-days"],
		["a year off", () => addDaysOff(fixture, ada, { from: "2026-12-01", to: "2027-11-30" }), "too-many-days"],
		["no order at all", () => setCapacity(fixture, ada, { all: 0 }), "wrong-limit"],
		["a broken brake", () => setRefundBrake(fixture, ada, { refunds: 1.5, cents: null }), "wrong-limit"],
	])("refuses %s", async (_, change, code) => {
		expect(await change()).toEqual({ ok: false, code });
	});
});

describe("the settings in memory", () => {
	const nothing = async (): Promise<SalesLoad> => ({ full: {}, slots: [] });
	const openReader = (readSalesLoad = nothing) => {
		const openingHours = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: isFrenchHoliday };
		return createSalesReader({ ...fixture, changes, openingHours, readSalesLoad });
	};

	test("are read once, and again after the commit of a change, in every process", async () => {
		const count = vi.fn(nothing);
		const [here, there] = [openReader(count), openReader()];
		expect([(await here()).closure, (await there()).closure]).toEqual([null, null]);
		await here();
		expect(count).toHaveBeenCalledTimes(1);
		await closeShop(fixture, ada, { until: null, sentence: null });
		await vi.waitFor(async () => expect([(await here()).closure, (await there()).closure]).not.toContain(null), scaledTimeout(10_000));
		expect(Object.keys((await here()).closed)).toEqual(["standard", "express", "postal"]);
	});

	test("a closure ends at its instant, without a change", async () => {
		await closeShop(fixture, ada, { until: inAnHour(), sentence: null });
		const read = openReader();
		expect((await read()).closed).toHaveProperty("express");
		fixture.clock.now = inAnHour();
		expect((await read()).closed).toEqual({});
	});

	test("a limit is counted again once a place may be free", async () => {
		const [first, second] = [inAnHour(), new Date(inAnHour().getTime() + 60_000)];
		const counts = [first, second];
		const read = openReader(async () => ({ full: { express: counts.shift() ?? first }, slots: [] }));
		expect((await read()).closed).toEqual({ express: first });
		fixture.clock.now = first;
		expect((await read()).closed).toEqual({ express: second });
	});

	test("hours that follow the desk are read again after a minute, and without a pace never", async () => {
		const [first, second] = [inAnHour(), new Date(inAnHour().getTime() + 60_000)];
		const slots = [[first], [second], [], [first]];
		const read = openReader(async () => ({ full: {}, slots: slots.shift() ?? [] }));
		const wait = (seconds: number) => {
			fixture.clock.now = new Date(fixture.clock.now.getTime() + seconds * 1000);
		};
		expect((await read()).slots).toEqual([first]);
		wait(59);
		expect((await read()).slots).toEqual([first]);
		wait(1);
		expect((await read()).slots).toEqual([second]);
		wait(60);
		expect((await read()).slots).toEqual([]);
		wait(3600);
		expect((await read()).slots).toEqual([]);
	});

	test("while the database is unavailable, the last known settings hold", async () => {
		await closeShop(fixture, ada, { until: null, sentence: "Panne." });
		const subscribers: (() => void)[] = [];
		let fails = false;
		const read = createSalesReader({
			...fixture,
			changes: {
				subscribe(_, callback) {
					subscribers.push(callback);
					return () => {};
				},
			},
			openingHours: { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: isFrenchHoliday },
			readSalesLoad: async () => {
				if (fails) throw new Error("no connection");
				return nothing();
			},
		});
		expect((await read()).closure?.sentence).toBe("Panne.");
		fails = true;
		for (const notify of subscribers) notify();
		expect((await read()).closure?.sentence).toBe("Panne.");
		fails = false;
		await reopenShop(fixture, ada);
		expect((await read()).closure).toBeNull();
	});
});
