import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { City } from "./city.ts";

interface Commune {
	code: string;
	nom: string;
	departement: string;
	region: string;
	codesPostaux?: string[];
	population?: number;
}

let byPostalCode: Map<string, City[]> | undefined;

/**
 * Every postal code with its communes, the largest first; arrondissements of Paris, Lyon and Marseille are their city.
 * Source: @etalab/decoupage-administratif. Read at the first call (about 100 ms), then kept: some ten megabytes.
 */
export function communesByPostalCode(): ReadonlyMap<string, readonly City[]> {
	byPostalCode ??= readCommunes();
	return byPostalCode;
}

function readCommunes(): Map<string, City[]> {
	const departments = names("departements");
	const regions = names("regions");
	const map = new Map<string, City[]>();
	for (const line of lines(read("communes"))) {
		if (!line.includes('"commune-actuelle"')) continue;
		const { code, nom, departement, region, codesPostaux, population }: Commune = JSON.parse(line.replace(/,$/, ""));
		const context = [...new Set([departement, departments.get(departement), regions.get(region)])].filter(Boolean).join(", ");
		for (const postcode of codesPostaux ?? []) {
			const city = { city: nom, citycode: code, postcode, population: population ?? 0, context };
			const others = map.get(postcode);
			if (others) others.push(city);
			else map.set(postcode, [city]);
		}
	}
	for (const cities of map.values()) cities.sort((a, b) => b.population - a.population);
	return map;
}

/** The file has one commune a line: parsed one by one, they never stand in memory all together. */
function* lines(file: Buffer): Generator<string> {
	for (let start = 0; start < file.length; ) {
		const end = file.indexOf("\n", start);
		yield file.toString("utf8", start, end < 0 ? file.length : end);
		start = end < 0 ? file.length : end + 1;
	}
}

function names(list: string): Map<string, string> {
	return new Map((JSON.parse(read(list).toString("utf8")) as { code: string; nom: string }[]).map(({ code, nom }) => [code, nom]));
}

function read(list: string): Buffer {
	return readFileSync(createRequire(import.meta.url).resolve(`@etalab/decoupage-administratif/data/${list}.json`));
}
