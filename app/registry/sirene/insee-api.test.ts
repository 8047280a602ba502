import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { type FakeInsee, fakeInseeKey, startFakeInsee } from "../../../test/fixtures/insee.ts";
import { unit } from "../../../test/fixtures/sirene.ts";
import { createInseeReader } from "./insee-api.server.ts";
import { changedUnit, establishmentRow, unitRow } from "./insee-rows.ts";

let insee: FakeInsee;
let clock: number;
let slept: number[];
const minute = 60_000;

beforeAll(async () => {
	insee = await startFakeInsee(() => clock);
});
afterAll(() => insee.close());
beforeEach(() => {
	clock = Date.parse("2026-11-21T05:00:00Z");
	slept = [];
	const units = ["100000001", "100000002", "100000003"].map((siren) => ({
		...unit(siren, {}),
		dateDernierTraitementUniteLegale: "2026-11-20T19:30:12.123",
	}));
	Object.assign(insee, { units, establishments: [], pageSize: 1000, trouble: () => undefined, requests: [] });
});

async function read({
	access = { base: insee.base, key: fakeInseeKey },
	timeout = 1000,
	what = "unitesLegales" as "unitesLegales" | "etablissements",
	row = changedUnit as z.ZodType<{ siren: string }>,
	q = "dateDernierTraitementUniteLegale:[2026-11-20 TO 2026-11-21]",
} = {}): Promise<string[]> {
	const sleep = async (ms: number) => {
		slept.push(ms);
		clock += ms;
	};
	const found: string[] = [];
	for await (const { rows } of createInseeReader(access, { now: () => clock, sleep, timeout })(what, { q }, row)) {
		found.push(...rows.map(({ siren }) => siren));
	}
	return found;
}
const all = ["100000001", "100000002", "100000003"];

test("page after page", async () => {
	insee.pageSize = 2;
	expect(await read()).toEqual(all);
	expect(insee.requests.map(({ path, parameters, key }) => [path, parameters.nombre, parameters.curseur, key])).toEqual([
		["/api-sirene/3.11/siren", "1000", "*", fakeInseeKey],
		["/api-sirene/3.11/siren", "1000", btoa("2"), fakeInseeKey],
	]);
});

test("nothing found is no page", async () => {
	insee.units = [];
	expect(await read()).toEqual([]);
	expect(insee.requests).toHaveLength(1);
});

test.each([
	["so many seconds", { "retry-after": "7" }, 7000],
	["until an instant", { "retry-after": "Sat, 21 Nov 2026 05:00:30 GMT" }, 30_000],
	["until an instant that is over", { "retry-after": "Sat, 21 Nov 2026 04:00:00 GMT" }, minute],
	["it does not say how long", {}, minute],
	["soon", { "retry-after": "soon" }, minute],
	["as long as it is worth it", { "retry-after": "900" }, 15 * minute],
])("too many requests, to wait %s", async (_, headers, wait) => {
	insee.trouble = (count) => (count === 1 ? { status: 429, headers: headers as Record<string, string> } : undefined);
	expect(await read()).toEqual(all);
	expect(slept).toEqual([wait]);
});

test.each([
	["901", 16],
	["7200", 120],
])("too many requests, to wait for %s seconds, which is longer than an update waits", async (seconds, minutes) => {
	insee.trouble = () => ({ status: 429, headers: { "retry-after": seconds } });
	await expect(read()).rejects.toThrow(`INSEE's API asks to wait for ${minutes} minutes: begin again then.`);
	expect(slept).toEqual([]);
});

test("an outage and a silence that end", async () => {
	insee.trouble = (count) => (count === 1 ? { status: 503 } : count === 2 ? "silence" : count === 3 ? { status: 500 } : undefined);
	expect(await read({ timeout: 100 })).toEqual(all);
	expect(slept).toEqual([2000, 5000, 15_000]);
});

test.each([
	["an outage", { status: 503 } as const, "it answered 503"],
	["silence", "silence" as const, "it took too long"],
])("%s that lasts", async (_, trouble, why) => {
	insee.trouble = () => trouble;
	await expect(read({ timeout: 100 })).rejects.toThrow(`INSEE's API did not answer, after 6 attempts: ${why}.`);
	expect(slept).toEqual([2000, 5000, 15_000, 30_000, 60_000]);
});

test("requests that are made again count among the thirty of a minute", async () => {
	Object.assign(insee, {
		pageSize: 1,
		units: Array.from({ length: 40 }, (_, i) => ({ ...insee.units[0], siren: String(100_000_000 + i) })),
	});
	insee.trouble = (count) => (count % 4 === 0 ? { status: 500 } : undefined);
	expect(await read()).toHaveLength(40);
	const instants = insee.requests.map(({ at }) => at);
	for (const from of instants) expect(instants.filter((at) => at >= from && at < from + minute).length).toBeLessThanOrEqual(30);
	expect(instants.length).toBe(53);
});

test("nobody there", async () => {
	const gone = await startFakeInsee(() => clock);
	await gone.close();
	await expect(read({ access: { base: gone.base, key: fakeInseeKey } })).rejects.toThrow(/after 6 attempts: .*ECONNREFUSED/);
});

test("a wrong key is refused, and not told", async () => {
	const refusal = await read({ access: { base: insee.base, key: "wrong-key" } }).catch((error: Error) => error.message);
	expect(refusal).toMatch(/INSEE refuses the key of INSEE_API_KEY \(401\)/);
	expect(refusal).not.toContain("wrong-key");
	expect(insee.requests).toHaveLength(1);
	insee.trouble = () => ({ status: 403 });
	await expect(read()).rejects.toThrow(/INSEE refuses the key of INSEE_API_KEY \(403\)/);
});

test("a redirection is not followed: the key goes nowhere else", async () => {
	insee.trouble = () => ({ status: 302, headers: { location: `${insee.base}/elsewhere` } });
	await expect(read()).rejects.toThrow(/answered 302/);
	expect(insee.requests).toHaveLength(1);
});

test("another 404 does not say that nothing was found", async () => {
	insee.trouble = () => ({ status: 404, body: "<h1>Not found</h1>" });
	await expect(read()).rejects.toThrow(/answered 404 at http.*\/siren: <h1>/);
	insee.trouble = () => ({ status: 400, body: "x".repeat(10_000) });
	await expect(read()).rejects.toThrow(/: x{200}$/);
});

describe("an answer that is not as it should be", () => {
	const header = { statut: 200, message: "OK", total: 1, debut: 0, nombre: 1, curseur: "*", curseurSuivant: "*" };
	const siren = "100000005";
	const toSiren = { row: unitRow.transform((cells) => ({ siren: cells[0] ?? "" })) };
	const toSiret = { what: "etablissements" as const, row: establishmentRow.transform((cells) => ({ siren: cells[0] ?? "" })) };
	test.each([
		["half a page", {}, '{"header": {"sta', /unexpected: unitesLegales: Invalid input/],
		["no header", {}, { unitesLegales: [] }, /unexpected: header: /],
		["less than nothing", {}, { header: { ...header, total: -1 }, unitesLegales: [] }, /unexpected: header\.total: /],
		["no list", {}, { header }, /unexpected: unitesLegales: /],
		["a number that is none", {}, { header, unitesLegales: [{ siren: "1234" }] }, /unexpected: unitesLegales\.0\.siren: /],
		["no periods", toSiren, { header, unitesLegales: [{ siren }] }, /unexpected: unitesLegales\.0\.periodesUniteLegale: /],
		[
			"no current period",
			toSiren,
			{ header, unitesLegales: [{ siren, periodesUniteLegale: [{ dateFin: "2020-01-01" }] }] },
			/unitesLegales\.0\.periodesUniteLegale: none of the periods is the current one/,
		],
		[
			"an establishment without a place",
			toSiret,
			{ header, etablissements: [{ siret: `${siren}00011` }] },
			/unexpected: etablissements\.0\./,
		],
		["less than was announced", {}, { header: { ...header, total: 9 }, unitesLegales: [] }, /announced 9 unitesLegales and gave 0/],
	])("%s", async (_, how, body, message) => {
		insee.trouble = () => ({ status: 200, body });
		await expect(read(how)).rejects.toThrow(message);
		expect(insee.requests).toHaveLength(1);
	});
});
