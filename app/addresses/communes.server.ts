import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { lazy } from "../../server/lazy.ts";
import type { City } from "./city.ts";

interface Commune {
	code: string;
	nom: string;
	departement: string;
	codesPostaux?: string[];
	population?: number;
}

/**
 * Every postal code with its communes, the largest first; arrondissements of Paris, Lyon and Marseille are their city.
 * Source: @etalab/decoupage-administratif. Read at the first call (about 100 ms), then kept: some ten megabytes.
 */
export const communesByPostalCode = lazy<ReadonlyMap<string, readonly City[]>>(readCommunes);

function readCommunes(): Map<string, City[]> {
	const contexts = contextsByDepartment();
	const map = new Map<string, City[]>();
	for (const line of lines(pathOf("communes"))) {
		if (!line.includes('"commune-actuelle"')) continue;
		const { code, nom, departement, codesPostaux, population = 0 }: Commune = JSON.parse(line.replace(/,$/, ""));
		for (const postcode of codesPostaux ?? []) {
			const city = { city: nom, citycode: code, postcode, population, context: contexts.get(departement) ?? departement };
			const others = map.get(postcode);
			if (others) others.push(city);
			else map.set(postcode, [city]);
		}
	}
	for (const cities of map.values()) cities.sort((a, b) => b.population - a.population);
	return map;
}

/** The file has one commune a line: read and parsed bit by bit, it never stands in memory as a whole. */
function* lines(file: string): Generator<string> {
	const descriptor = openSync(file, "r");
	try {
		const decoder = new TextDecoder();
		const buffer = Buffer.alloc(1 << 16);
		let rest = "";
		for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
			const whole = (rest + decoder.decode(buffer.subarray(0, length), { stream: true })).split("\n");
			rest = whole.pop() ?? "";
			yield* whole;
		}
		yield rest;
	} finally {
		closeSync(descriptor);
	}
}

/** Department code → « 75, Paris, Île-de-France »; overseas, where both have one name, it is there once. */
function contextsByDepartment(): Map<string, string> {
	const read = (list: string): { code: string; nom: string; region: string }[] => JSON.parse(readFileSync(pathOf(list), "utf8"));
	const regions = new Map(read("regions").map(({ code, nom }) => [code, nom]));
	return new Map(
		read("departements").map(({ code, nom, region }) => [code, [...new Set([code, nom, regions.get(region) ?? nom])].join(", ")]),
	);
}

function pathOf(list: string): string {
	return createRequire(import.meta.url).resolve(`@etalab/decoupage-administratif/data/${list}.json`);
}
