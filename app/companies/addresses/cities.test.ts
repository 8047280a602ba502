import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createLog } from "../../../server/observability/log.ts";
import { createMetrics } from "../../../server/observability/metrics.ts";
import { type City, parseCitySearch } from "./city.ts";
import { listCommunesByPostalCode } from "./communes.server.ts";
import { findCities, foldName, searchCities } from "./find-cities.server.ts";
import { lookUpCities } from "./look-up-cities.server.ts";

const runtime = { log: createLog("silent"), metrics: createMetrics({ withProcessMetrics: false }) };

/** Looks up cities like the route; null for an invalid query. */
async function lookUp(query: string, addressApiUrl?: string) {
	const search = parseCitySearch(new URLSearchParams(query));
	return search && (await lookUpCities(search, addressApiUrl, runtime));
}
const listCities = async (query: string, addressApiUrl?: string) =>
	(await lookUp(query, addressApiUrl))?.features.map(({ properties: { city, citycode, postcode } }) => ({ city, citycode, postcode }));

describe("the commune file", () => {
	test.each([
		["75008", "Paris", "75056"],
		["69003", "Lyon", "69123"],
		["13016", "Marseille", "13055"],
		["20000", "Ajaccio", "2A004"],
		["97400", "Saint-Denis", "97411"],
	])("the postal code %s gives only %s", (postcode, city, citycode) => {
		expect(findCities(postcode)).toEqual([expect.objectContaining({ city, citycode, postcode })]);
	});

	test("a postal code of many communes gives all of them, the largest first", () => {
		const cities = findCities("51300");
		expect(cities.length).toBe(46);
		expect(cities[0]?.city).toBe("Vitry-le-François");
	});

	test("a CEDEX and an unknown code give no city", () => {
		expect(findCities("92919")).toEqual([]);
		expect(findCities("")).toEqual([]);
	});

	test("answers in the format of the national API", async () => {
		expect(await lookUp("q=&postcode=75008&limit=10&type=municipality")).toEqual({
			type: "FeatureCollection",
			attribution: "Insee, La Poste",
			licence: "ETALAB-2.0",
			query: "75008",
			limit: 10,
			features: [
				{
					type: "Feature",
					geometry: null,
					properties: {
						label: "Paris",
						score: 1,
						id: "75056",
						type: "municipality",
						name: "Paris",
						postcode: "75008",
						citycode: "75056",
						population: expect.any(Number),
						city: "Paris",
						context: "75, Paris, Île-de-France",
					},
				},
			],
		});
	});

	test("gives at most `limit` cities, ten by default", async () => {
		expect((await listCities("postcode=51300"))?.length).toBe(10);
		expect((await listCities("postcode=51300&limit=3"))?.length).toBe(3);
		expect((await listCities("postcode=51300&limit=100"))?.length).toBe(46);
		expect((await listCities("postcode=51300&limit=-1"))?.length).toBe(10);
		for (const [value, limit] of [
			["0", 10],
			["1.5", 10],
			["x", 10],
			["", 10],
			["1", 1],
			["100", 100],
			["101", 100],
			["1000000", 100],
		])
			expect(parseCitySearch(new URLSearchParams(`q=a&limit=${value}`))?.limit, String(value)).toBe(limit);
	});

	test("finds a city by name, with or without its postal code", async () => {
		expect((await listCities("q=saint etienne"))?.[0]).toEqual({ city: "Saint-Étienne", citycode: "42218", postcode: "42000" });
		expect(await listCities("q=vitry&postcode=51300")).toHaveLength(2);
		expect(await listCities("q=75 008")).toEqual([{ city: "Paris", citycode: "75056", postcode: "75008" }]);
	});

	test("a prefix gives the same cities as a scan of all communes, in the same order", () => {
		const all = [...listCommunesByPostalCode().values()].flat();
		const names = new Map(all.map(({ city }) => [city, foldName(city)]));
		const scanAllCommunes = (start: string) => {
			const citiesByCode = new Map<string, City>();
			for (const city of all) {
				const other = citiesByCode.get(city.citycode);
				if ((!other || city.postcode < other.postcode) && names.get(city.city)?.startsWith(start)) citiesByCode.set(city.citycode, city);
			}
			const isExact = (city: City) => Number(names.get(city.city) === start);
			return [...citiesByCode.values()].sort((a, b) => isExact(b) - isExact(a) || b.population - a.population);
		};
		const starts = Array.from({ length: 60 }, (_, at) => (all[at * 577]?.city ?? "").slice(0, 1 + (at % 9)));
		for (const q of [...starts, "a", "y", "Y", "saint", "SAINT-É", "l'", "'", "œ", "Paris", "zzz", "1", "\u{1f600}"]) {
			const expected = scanAllCommunes(foldName(q));
			for (const limit of [1, 10, 100]) expect(searchCities({ q, postcode: "", limit }), q).toEqual(expected.slice(0, limit));
		}
	});

	test("the search text is cut after fifty characters", () => {
		expect(parseCitySearch(new URLSearchParams({ q: "a".repeat(300) }))?.q).toHaveLength(50);
	});

	test("accepts a postal code as `q`, as `postcode`, or beside a name", async () => {
		for (const query of ["q=75008", "q=75 008", "q=7 5 0 0 8", "postcode=75 008", "q=Paris&postcode=75008"])
			expect(await listCities(query), query).toEqual([{ city: "Paris", citycode: "75056", postcode: "75008" }]);
		expect(await listCities("q=Lyon&postcode=75008")).toEqual([]);
	});

	test.each([
		"q=750081",
		"q=7500 8x&postcode=7500",
		"postcode=750081",
		"postcode=x75008",
		"",
		"postcode=7500",
		"postcode=abcde",
		"q=%00",
		"q=Paris&type=street",
	])("« %s » is not a valid search", async (query) => {
		expect(await lookUp(query)).toBeNull();
	});
});

describe("the national service", () => {
	let server: Server | undefined;
	afterEach(() => server?.close());
	const serve = async (listener: RequestListener) => {
		server = createServer(listener);
		await new Promise<void>((ready) => server?.listen(0, "127.0.0.1", ready));
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}/geocodage/search`;
	};
	const feature = (city: string, citycode: string) => ({
		type: "Feature",
		geometry: null,
		properties: { city, citycode, postcode: "75008", score: 0.9 },
	});

	test("receives the postal code as q; cities are unique, and an arrondissement becomes its city", async () => {
		let requestedUrl = "";
		const url = await serve((request, response) => {
			requestedUrl = request.url ?? "";
			response.end(JSON.stringify({ features: [feature("Paris", "75056"), feature("Paris 8e Arrondissement", "75108")] }));
		});
		expect(await listCities("q=&postcode=75008", url)).toEqual([{ city: "Paris", citycode: "75056", postcode: "75008" }]);
		expect(requestedUrl).toBe("/geocodage/search?q=75008&postcode=75008&limit=10&type=municipality");
		await listCities("q=Paris&limit=3", url);
		expect(requestedUrl).toBe("/geocodage/search?q=Paris&limit=3&type=municipality");
	});

	test.each([
		["75101 75109 75110 75120", ["75056"]],
		["69381 69389", ["69123"]],
		["13201 13216", ["13055"]],
		["75056 69380 69123 13055 13119 751201", ["75056", "69380", "69123", "13055", "13119", "751201"]],
	])("the codes %s give the cities %s", async (codes, expected) => {
		const features = codes.split(" ").map((code) => feature(code, code));
		const url = await serve((_, response) => void response.end(JSON.stringify({ features })));
		expect((await listCities("q=x", url))?.map(({ citycode }) => citycode)).toEqual(expected);
	});

	test.each<[string, RequestListener]>([
		["an error status", (_, response) => response.writeHead(500).end(JSON.stringify({ features: [feature("Paris", "75056")] }))],
		["an unknown format", (_, response) => response.end("{}")],
		["no JSON", (_, response) => response.end("<html>")],
		["a broken connection", (request) => request.socket.destroy()],
	])("%s gives no city and no error", async (_, listener) => {
		expect(await listCities("postcode=75008", await serve(listener))).toEqual([]);
	});

	test("a timeout gives no city", async () => {
		expect(await listCities("postcode=75008", await serve(() => {}))).toEqual([]);
		server?.closeAllConnections();
	});
});
