import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { type FakeInsee, fakeInseeKey, startFakeInsee } from "../../../../test/fixtures/insee.ts";
import { unit } from "../../../../test/fixtures/sirene.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { createInseeReader, getWaitMs, maxRequestsPerMinute } from "./insee-api.server.ts";
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
	Object.assign(insee, { units, establishments: [], pageSize: 1000, fault: () => undefined, requests: [] });
});

async function read({
	access = { base: insee.base, key: fakeInseeKey },
	timeout = 60_000,
	what = "unitesLegales" as "unitesLegales" | "etablissements",
	row = changedUnit as z.ZodType<{ siren: string }>,
	q = "dateDernierTraitementUniteLegale:[2026-11-20 TO 2026-11-21]",
} = {}): Promise<string[]> {
	const sleep = async (ms: number) => {
		slept.push(ms);
		clock += ms;
	};
	const sirens: string[] = [];
	for await (const { rows } of createInseeReader(access, { now: () => clock, sleep, timeout })(what, { q }, row)) {
		sirens.push(...rows.map(({ siren }) => siren));
	}
	return sirens;
}
const all = ["100000001", "100000002", "100000003"];

test("reads all pages by cursor", async () => {
	insee.pageSize = 2;
	expect(await read()).toEqual(all);
	expect(insee.requests.map(({ path, parameters, key }) => [path, parameters.nombre, parameters.curseur, key])).toEqual([
		["/api-sirene/3.11/siren", "1000", "*", fakeInseeKey],
		["/api-sirene/3.11/siren", "1000", btoa("2"), fakeInseeKey],
	]);
});

test("reads no page when nothing is found", async () => {
	insee.units = [];
	expect(await read()).toEqual([]);
	expect(insee.requests).toHaveLength(1);
});

test.each([
	["the given seconds", { "retry-after": "7" }, 7000],
	["until the given instant", { "retry-after": "Sat, 21 Nov 2026 05:00:30 GMT" }, 30_000],
	["a minute for a past instant", { "retry-after": "Sat, 21 Nov 2026 04:00:00 GMT" }, minute],
	["a minute without a value", {}, minute],
	["a minute for an invalid value", { "retry-after": "soon" }, minute],
	["up to fifteen minutes", { "retry-after": "900" }, 15 * minute],
])("after a 429, waits %s", async (_, headers, wait) => {
	insee.fault = (count) => (count === 1 ? { status: 429, headers: headers as Record<string, string> } : undefined);
	expect(await read()).toEqual(all);
	expect(slept).toEqual([wait]);
});

test.each([
	["901", 16],
	["7200", 120],
])("fails after a 429 with a wait of %s seconds, which is too long", async (seconds, minutes) => {
	insee.fault = () => ({ status: 429, headers: { "retry-after": seconds } });
	await expect(read()).rejects.toThrow(`INSEE's API asks to wait for ${minutes} minutes: begin again then.`);
	expect(slept).toEqual([]);
});

test("retries after errors and timeouts", async () => {
	insee.fault = (count) => (count === 1 ? { status: 503 } : count === 2 ? "silence" : count === 3 ? { status: 500 } : undefined);
	expect(await read({ timeout: scaledTimeout(1000) })).toEqual(all);
	expect(slept).toEqual([2000, 5000, 15_000]);
});

test.each([
	["an outage", { status: 503 } as const, "it answered 503", 60_000],
	["a timeout", "silence" as const, "it took too long", 100],
])("fails after six attempts: %s", async (_, trouble, reason, timeout) => {
	insee.fault = () => trouble;
	await expect(read({ timeout })).rejects.toThrow(`INSEE's API did not answer, after 6 attempts: ${reason}.`);
	expect(slept).toEqual([2000, 5000, 15_000, 30_000, 60_000]);
});

test("counts retries in the limit of thirty requests per minute", async () => {
	Object.assign(insee, {
		pageSize: 1,
		units: Array.from({ length: 40 }, (_, i) => ({ ...insee.units[0], siren: String(100_000_000 + i) })),
	});
	insee.fault = (count) => (count % 4 === 0 ? { status: 500 } : undefined);
	expect(await read()).toHaveLength(40);
	const instants = insee.requests.map(({ at }) => at);
	for (const from of instants) expect(instants.filter((at) => at >= from && at < from + minute).length).toBeLessThanOrEqual(30);
	expect(instants.length).toBe(53);
});

test("fails after six attempts when the host refuses connections", async () => {
	const closed = await startFakeInsee(() => clock);
	await closed.close();
	await expect(read({ access: { base: closed.base, key: fakeInseeKey } })).rejects.toThrow(/after 6 attempts: .*ECONNREFUSED/);
});

test("fails with a wrong key, without printing it", async () => {
	const refusal = await read({ access: { base: insee.base, key: "wrong-key" } }).catch((error: Error) => error.message);
	expect(refusal).toMatch(/INSEE refuses the key of INSEE_API_KEY \(401\)/);
	expect(refusal).not.toContain("wrong-key");
	expect(insee.requests).toHaveLength(1);
	insee.fault = () => ({ status: 403 });
	await expect(read()).rejects.toThrow(/INSEE refuses the key of INSEE_API_KEY \(403\)/);
});

test("follows no redirect, because it would send the key to another URL", async () => {
	insee.fault = () => ({ status: 302, headers: { location: `${insee.base}/elsewhere` } });
	await expect(read()).rejects.toThrow(/answered 302/);
	expect(insee.requests).toHaveLength(1);
});

test("fails for a 404 without INSEE's « nothing found »", async () => {
	insee.fault = () => ({ status: 404, body: "<h1>Not found</h1>" });
	await expect(read()).rejects.toThrow(/answered 404 at http.*\/siren: <h1>/);
	insee.fault = () => ({ status: 400, body: "x".repeat(10_000) });
	await expect(read()).rejects.toThrow(/: x{200}$/);
});

describe("fails for an invalid response", () => {
	const header = { statut: 200, message: "OK", total: 1, debut: 0, nombre: 1, curseur: "*", curseurSuivant: "*" };
	const siren = "100000005";
	const toSiren = { row: unitRow.transform((cells) => ({ siren: cells[0] ?? "" })) };
	const toSiret = { what: "etablissements" as const, row: establishmentRow.transform((cells) => ({ siren: cells[0] ?? "" })) };
	test.each([
		["truncated JSON", {}, '{"header": {"sta', /unexpected: unitesLegales: Invalid input/],
		["no header", {}, { unitesLegales: [] }, /unexpected: header: /],
		["a negative total", {}, { header: { ...header, total: -1 }, unitesLegales: [] }, /unexpected: header\.total: /],
		["no list", {}, { header }, /unexpected: unitesLegales: /],
		["an invalid SIREN", {}, { header, unitesLegales: [{ siren: "1234" }] }, /unexpected: unitesLegales\.0\.siren: /],
		["no periods", toSiren, { header, unitesLegales: [{ siren }] }, /unexpected: unitesLegales\.0\.periodesUniteLegale: /],
		[
			"no current period",
			toSiren,
			{ header, unitesLegales: [{ siren, periodesUniteLegale: [{ dateFin: "2020-01-01" }] }] },
			/unitesLegales\.0\.periodesUniteLegale: none of the periods is the current one/,
		],
		[
			"an establishment without an address",
			toSiret,
			{ header, etablissements: [{ siret: `${siren}00011` }] },
			/unexpected: etablissements\.0\./,
		],
		["fewer rows than announced", {}, { header: { ...header, total: 9 }, unitesLegales: [] }, /announced 9 unitesLegales and gave 0/],
	])("%s", async (_, options, body, message) => {
		insee.fault = () => ({ status: 200, body });
		await expect(read(options)).rejects.toThrow(message);
		expect(insee.requests).toHaveLength(1);
	});
});

test("allows thirty requests immediately, and the next one a minute after the first", () => {
	const sent = Array.from({ length: maxRequestsPerMinute }, (_, index) => index * 100);
	expect(getWaitMs([], 0)).toBe(0);
	expect(getWaitMs(sent.slice(1), 3000)).toBe(0);
	expect(getWaitMs(sent, 3000)).toBe(58_000);
	expect(getWaitMs(sent, 61_000)).toBe(0);
	expect(getWaitMs([...sent, 61_000], 61_000)).toBe(100);
});

test("allows at most thirty requests in any minute", () => {
	const sent: number[] = [];
	let now = 0;
	for (let i = 0; i < 500; i++) {
		now += (i * 7919) % 1500;
		now += getWaitMs(sent, now);
		sent.push(now);
	}
	for (const instant of sent) expect(sent.filter((other) => other >= instant && other < instant + 60_000).length).toBeLessThanOrEqual(30);
});
