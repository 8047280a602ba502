import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { deleteRows } from "../../../../test/delete-rows.ts";
import { type FakeBulletin, startFakeBulletin } from "../../../../test/fakes/bulletin.ts";
import { type BulletinRecord, inventedNotices, modification, toJsonLines, unmarkedNotices } from "../../../../test/fixtures/bulletin.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { findBulletinReading, listBulletinNotices } from "../bulletin.server.ts";
import { createBulletinReader } from "./bulletin-api.server.ts";
import { type UpdateOptions, updateNotices } from "./update-notices.server.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
let bulletin: FakeBulletin;
let clock: number;
let slept: number[];

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
	bulletin = await startFakeBulletin();
});
afterAll(async () => {
	await bulletin.close();
	await close();
});
beforeEach(async () => {
	await deleteRows(db, "bulletin_notices", "bulletin_corrections", "bulletin_readings", "bulletin_texts");
	clock = Date.parse("2026-11-25T05:00:00Z");
	slept = [];
	Object.assign(bulletin, { records: [...unmarkedNotices, ...issue], fault: () => undefined, requests: [] });
});

/** A notice of each day from Sunday, 22 November to Wednesday, 25 November. */
const days = ["2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25"] as const;
const issue = days.map((day, index) => modification(`B2026022${index + 3}100`, { dateparution: day }));
const [, , tuesday, today] = days;

const update = (options: Partial<UpdateOptions> = {}) =>
	updateNotices(connection, {
		base: bulletin.base,
		now: () => clock,
		sleep: async (ms) => {
			slept.push(ms);
			clock += ms;
		},
		timeout: scaledTimeout(2000),
		...options,
	});
const ids = async (siren = "552032534") => (await listBulletinNotices(db, siren)).map(({ id }) => id);
const covered = async () => (await findBulletinReading(db))?.covered;
const askedDays = () => [...new Set(bulletin.requests.map(({ day }) => day))];
const isExport = ({ path }: { path: string }) => path.endsWith("/exports/jsonl");

test("reads the days from the given one up to today, each once", async () => {
	expect(await update({ since: "2026-10-20" })).toMatchObject({
		...{ from: "2026-10-20", days: 37, read: 14, kept: 12, added: 13, stopped: null, isFirst: false, broken: 0 },
		coverage: { from: "2026-10-20", to: today },
	});
	expect(await findBulletinReading(db)).toEqual({ importedAt: new Date(clock), covered: { from: "2026-10-20", to: today } });
	expect(await ids("006850093")).toEqual(["A2026021599017", "A2026021299016", "A2026020199015"]);
	expect(bulletin.requests.filter(isExport).map(({ day }) => day)).not.toContain("2026-11-21"); // a Saturday: the count says all
	expect(bulletin.requests.find(isExport)?.path).toBe("/api/explore/v2.1/catalog/datasets/annonces-commerciales/exports/jsonl");
	expect(bulletin.requests.filter((request) => !isExport(request))).toHaveLength(37);
	// the count needs no notice
	expect(bulletin.requests[0]).toMatchObject({ accept: "application/json", parameters: { limit: "1", select: "id" } });
});

test("two updates at once wait for each other", async () => {
	const summaries = await Promise.all([update(), update()]);
	expect(summaries.map(({ added }) => added).sort()).toEqual([0, issue.length]);
	const asked = bulletin.requests.map(({ day }) => day);
	expect(asked.filter((day, index) => day < (asked[index - 1] ?? ""))).toEqual(["2026-11-19"]);
});

test("says after each day how far it has come", async () => {
	const progress: [number, number][] = [];
	await update({ since: "2026-11-22", onProgress: (fraction, notices) => progress.push([fraction, notices]) });
	expect(progress).toEqual([
		[0.25, 1],
		[0.5, 2],
		[0.75, 3],
		[1, 4],
	]);
});

test("keeps no timer once an answer is read or refused", async () => {
	const [set, clear] = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "clearTimeout")];
	const timeout = 54_321;
	const listKept = () => {
		const own = set.mock.calls.flatMap(([, delay], index) => (delay === timeout ? [set.mock.results[index]?.value] : []));
		expect(own.length).toBeGreaterThan(0);
		return own.filter((timer) => !clear.mock.calls.some(([cleared]) => cleared === timer));
	};
	const count = (base: string) => createBulletinReader(base, { now: () => clock, timeout }).countNotices(tuesday);
	try {
		expect(await count(bulletin.base)).toBe(1);
		expect(listKept()).toEqual([]);
		bulletin.fault = () => ({ status: 400 });
		await expect(count(bulletin.base)).rejects.toThrow("answered 400");
		expect(listKept()).toEqual([]);
		await expect(count("http://127.0.0.1:1")).rejects.toThrow();
		expect(listKept()).toEqual([]);
	} finally {
		vi.restoreAllMocks();
	}
});

test("a first update reads a week", async () => {
	expect(await update()).toMatchObject({ from: "2026-11-19", days: 7, isFirst: true, coverage: { from: "2026-11-19", to: today } });
});

test("the next update goes on with ten days of overlap, and finds what changed there", async () => {
	await update({ since: "2026-11-01" });
	bulletin.requests = [];
	clock += 86_400_000;
	bulletin.records = [
		...issue.slice(0, 2),
		modification("B20260225100", { dateparution: tuesday, registre: ["005781133"] }),
		...issue.slice(3),
		modification("B20260227100", { dateparution: "2026-11-26" }),
		modification("B20260226101", { dateparution: today }),
	];
	expect(await update()).toMatchObject({ from: "2026-11-16", days: 11, added: 3, removed: 1, isFirst: false });
	expect(askedDays()).toHaveLength(11);
	expect(await covered()).toEqual({ from: "2026-11-01", to: "2026-11-26" });
	expect(await ids("005781133")).toEqual(["B20260225100"]);
	expect(await update()).toMatchObject({ days: 10, added: 0, changed: 0, removed: 0 });
});

test("the overlap does not begin before the first day covered", async () => {
	await update();
	expect(await update()).toMatchObject({ from: "2026-11-19", days: 7 });
});

test("a day without notices is covered once a later one has some", async () => {
	bulletin.records = [];
	await update();
	expect(await findBulletinReading(db)).toEqual({ importedAt: new Date(clock), covered: null });
	bulletin.records = issue.slice(0, 2);
	await update();
	expect(await covered()).toEqual({ from: "2026-11-19", to: "2026-11-23" });
	bulletin.records = [...issue.slice(0, 2), ...issue.slice(3)];
	await update();
	expect(await covered()).toEqual({ from: "2026-11-19", to: today });
	bulletin.records = [...issue];
	expect(await update()).toMatchObject({ added: 1 });
});

test("Friday's issue is found when it is loaded on Monday", async () => {
	const friday = modification("B20260228100", { dateparution: "2026-11-27" });
	const monday = modification("B20260229100", { dateparution: "2026-11-30" });
	for (const day of ["2026-11-27", "2026-11-28", "2026-11-29"]) {
		clock = Date.parse(`${day}T05:00:00Z`);
		expect((await update()).stopped).toBeNull();
		expect((await covered())?.to).toBe(today);
	}
	clock = Date.parse("2026-11-30T05:00:00Z");
	bulletin.records.push(friday, monday);
	expect(await update()).toMatchObject({ added: 2, coverage: { to: "2026-11-30" } });
});

describe("the time of the last reading", () => {
	const first = Date.parse("2026-11-25T05:00:00Z");
	const importedAt = async () => (await findBulletinReading(db))?.importedAt.getTime();
	beforeEach(async () => {
		await update();
		clock += 86_400_000;
	});

	test("stays when an update stops among the days that it reads again", async () => {
		bulletin.fault = (_, { day }) => (day === tuesday ? { status: 400 } : undefined);
		expect(await update()).toMatchObject({ days: 5, stopped: expect.stringContaining("400") });
		expect(await findBulletinReading(db)).toEqual({ importedAt: new Date(first), covered: { from: "2026-11-19", to: today } });
	});

	test("moves with a day that ends later, though the update stops then", async () => {
		bulletin.records.push(modification("B20260228100", { dateparution: "2026-11-26" }));
		clock += 86_400_000;
		bulletin.fault = (_, { day }) => (day === "2026-11-27" ? { status: 400 } : undefined);
		expect((await update()).stopped).not.toBeNull();
		expect(await importedAt()).toBe(clock);
		expect((await covered())?.to).toBe("2026-11-26");
	});

	test("moves when today is reached, without new notices too", async () => {
		expect((await update()).stopped).toBeNull();
		expect(await importedAt()).toBe(clock);
		expect((await covered())?.to).toBe(today);
	});
});

test("days long before those known count once they touch them", async () => {
	await update();
	const [known, readOn] = [await covered(), clock];
	clock += 60_000;
	bulletin.fault = (_, { day }) => (day === "2026-11-15" ? { status: 400 } : undefined);
	expect(await update({ since: "2026-10-20" })).toMatchObject({ days: 26, coverage: known });
	expect(await findBulletinReading(db)).toEqual({ importedAt: new Date(readOn), covered: known });
	expect(await ids("006850093")).toHaveLength(3);
	bulletin.fault = () => undefined;
	await update({ since: "2026-10-20" });
	expect(await covered()).toEqual({ from: "2026-10-20", to: today });
});

test("today is a day in Paris", async () => {
	clock = Date.parse("2026-11-25T23:30:00Z");
	await update();
	expect(askedDays().at(-1)).toBe("2026-11-26");
});

test("days that would leave a gap are refused", async () => {
	await update();
	clock += 10 * 86_400_000;
	bulletin.requests = [];
	expect((await update({ since: "2026-12-01" })).stopped).toBe(
		"The bulletin was read up to 2026-11-25: to begin on 2026-12-01 would leave a gap.",
	);
	expect(bulletin.requests).toEqual([]);
});

test("invented notices are refused", async () => {
	bulletin.records = [...inventedNotices];
	expect(await update({ since: "2026-11-01" })).toMatchObject({ kept: 0, added: 0, skipped: { invented: 6 }, stopped: null });
});

describe("asks again", () => {
	const failOnce = (answer: ReturnType<FakeBulletin["fault"]>, of: (request: { path: string }) => boolean = () => true) => {
		let failed = false;
		bulletin.fault = (_, request) => {
			if (failed || request.day !== tuesday || !of(request)) return undefined;
			failed = true;
			return answer;
		};
	};
	test.each<[what: string, answer: Exclude<ReturnType<FakeBulletin["fault"]>, undefined>, wait: number]>([
		["after a 429, when it says so in seconds", { status: 429, headers: { "retry-after": "7" } }, 7000],
		["after a 429, when it says so as a date", { status: 429, headers: { "retry-after": "Wed, 25 Nov 2026 05:00:30 GMT" } }, 30_000],
		["after a 429, when the quota is reset", { status: 429, headers: { "x-ratelimit-reset": "2026-11-25T05:02:00Z" } }, 120_000],
		["after a 429, at the instant of the reset", { status: 429, headers: { "x-ratelimit-reset": "1795582830" } }, 30_000],
		["a minute after a 429 that says nothing", { status: 429 }, 60_000],
		["after a 429, when the quota is reset in some seconds", { status: 429, headers: { "x-ratelimit-reset": "40" } }, 40_000],
		["after a 429, when the quota was reset meanwhile", { status: 429, headers: { "x-ratelimit-reset": "1795582700" } }, 0],
		["after a 429, when it shall wait for a quarter of an hour", { status: 429, headers: { "retry-after": "900" } }, 900_000],
		["after an outage", { status: 503 }, 2000],
		["after an error of the server", { status: 500 }, 2000],
		["after an outage, when it says so", { status: 503, headers: { "retry-after": "20" } }, 20_000],
		["after silence", "silence", 2000],
	])("%s", async (_, answer, wait) => {
		for (const path of [() => true, isExport]) {
			failOnce(answer, path);
			expect(await update(answer === "silence" ? { timeout: scaledTimeout(100) } : {})).toMatchObject({ stopped: null });
			expect(slept.splice(0)).toEqual([wait]);
			clock = Date.parse("2026-11-25T05:00:00Z");
		}
		expect(await covered()).toEqual({ from: "2026-11-19", to: today });
	});

	const text = toJsonLines([...issue.slice(2, 3), modification("B20260225101", { dateparution: tuesday })]);
	test.each<[what: string, answer: Exclude<ReturnType<FakeBulletin["fault"]>, undefined>]>([
		["a connection that ends early", { status: 200, body: text.slice(0, -100), cut: true }],
		["an answer that ends within a notice", { status: 200, body: text.slice(0, -100) }],
		["an answer without its last notice", { status: 200, body: toJsonLines(issue.slice(2, 3)) }],
		["an empty answer", { status: 200, body: "" }],
	])("after %s, and covers the day only when it is whole", async (_, answer) => {
		bulletin.records.push(modification("B20260225101", { dateparution: tuesday }));
		bulletin.fault = (_, request) => (request.day === tuesday && isExport(request) ? answer : undefined);
		const { stopped } = await update();
		expect(stopped).toMatch(/^The bulletin's API did not give the notices of 2026-11-24, after 6 attempts: [^\n]+[^.\n]\.$/);
		expect(slept).toEqual([2000, 5000, 15_000, 30_000, 60_000]);
		expect(await covered()).toEqual({ from: "2026-11-19", to: "2026-11-23" });
		expect(await ids()).toEqual(["B20260224100", "B20260223100"]);
		failOnce(answer, isExport);
		expect((await update()).stopped).toBeNull();
		expect(await covered()).toEqual({ from: "2026-11-19", to: today });
		expect(await ids()).toHaveLength(5);
	});
});

test("takes a day to which a notice was added meanwhile", async () => {
	bulletin.fault = (_, request) => {
		if (request.day === tuesday && isExport(request)) return undefined;
		if (request.day === tuesday && bulletin.requests.filter(({ day }) => day === tuesday).length === 1)
			return { status: 200, body: '{"total_count": 7, "results": []}' };
		return undefined;
	};
	expect((await update()).stopped).toBeNull();
	expect(slept).toEqual([]);
});

describe("stops", () => {
	const html: Record<string, string> = { "content-type": "text/html; charset=utf-8" };
	test.each<[what: string, answer: Exclude<ReturnType<FakeBulletin["fault"]>, undefined>, reason: RegExp]>([
		["at a web page", { status: 200, headers: html, body: "<html></html>" }, /answered text\/html; charset=utf-8 in place of notices/],
		["at a refusal", { status: 400, body: '{"message": "Unknown field"}' }, /answered 400/],
		["at a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }, /answered 302/],
		["when it shall wait for long", { status: 429, headers: { "retry-after": "7200" } }, /asks to wait for 120 minutes: begin again then/],
	])("%s", async (_, answer, reason) => {
		for (const what of ["records", "exports/jsonl"]) {
			bulletin.fault = (_, request) => (request.day === tuesday && request.path.endsWith(what) ? answer : undefined);
			expect((await update({ since: "2026-11-20" })).stopped).toMatch(reason);
			expect(await covered()).toEqual({ from: "2026-11-20", to: "2026-11-23" });
			expect(await ids()).toHaveLength(2);
		}
		expect(slept).toEqual([]);
	});

	test.each<[what: string, body: string, reason: RegExp]>([
		["a web page called JSON", "<html></html>", /it is a web page/],
		["other JSON", '{"siren": "552032534"}\n', /it is no export of the bulletin/],
		["notices of another day", toJsonLines(issue.slice(0, 1)), /gave B20260223100 of 2026-11-22 for 2026-11-24/],
	])("at %s", async (_, body, reason) => {
		bulletin.fault = (_, request) => (request.day === tuesday && isExport(request) ? { status: 200, body } : undefined);
		expect((await update()).stopped).toMatch(reason);
		expect(slept).toEqual([]);
		expect(await covered()).toEqual({ from: "2026-11-19", to: "2026-11-23" });
	});

	test.each(["[]", "{}", '{"total_count": -1}', '{"total_count": 1.5}', "none"])("at a count that is none: %s", async (body) => {
		bulletin.fault = () => ({ status: 200, body });
		expect((await update()).stopped).toMatch(/no total_count/);
		expect(await findBulletinReading(db)).toBeNull();
	});

	test("when nobody answers", async () => {
		const closed = await startFakeBulletin();
		await closed.close();
		expect((await update({ base: closed.base })).stopped).toMatch(/2026-11-19, after 6 attempts: .*ECONNREFUSED/);
	});
});

test("a broken notice of a day is counted, and the day is covered", async () => {
	const broken: BulletinRecord = { dateparution: tuesday, id: 5 };
	bulletin.records.push(broken);
	const summary = await update();
	expect(summary).toMatchObject({ broken: 1, stopped: null, faults: ["2026-11-24, line 2: no id of a notice"] });
	expect(await covered()).toEqual({ from: "2026-11-19", to: today });
});

test("what was read, kept and skipped is counted over all days, and five broken notices are named", async () => {
	const natural = '{"personne": {"typePersonne": "pp", "nom": "X"}}';
	bulletin.records = [...issue];
	for (const [index, day] of [tuesday, today].entries())
		bulletin.records.push(
			modification(`B2026022${index}900`, { dateparution: day, listepersonnes: natural }),
			modification(`B2026022${index}901`, { dateparution: day, typeavis: "annulation", parutionavisprecedent: null }),
			...Array.from({ length: 3 }, () => ({ dateparution: day, id: 5 })),
		);
	expect(await update()).toMatchObject({
		...{ read: 14, kept: 6, corrections: 2, broken: 6, skipped: { "natural-persons": 2 } },
		faults: [
			...[4, 5, 6].map((line) => `2026-11-24, line ${line}: no id of a notice`),
			...[4, 5].map((line) => `2026-11-25, line ${line}: no id of a notice`),
		],
	});
});
