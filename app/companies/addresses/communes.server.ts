import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { lazy } from "../../../server/lazy.ts";
import type { City } from "./city.ts";

interface Commune {
	code: string;
	nom: string;
	departement: string;
	codesPostaux?: string[];
	population?: number;
}

/**
 * Returns the communes of every postal code, the largest first. Arrondissements of Paris, Lyon and Marseille count as their city.
 * Source: @etalab/decoupage-administratif. The file is read at the first call (about 100 ms) and cached (about ten megabytes).
 */
export const listCommunesByPostalCode = lazy<ReadonlyMap<string, readonly City[]>>(readCommunes);

function readCommunes(): Map<string, City[]> {
	const contexts = readContexts();
	const map = new Map<string, City[]>();
	for (const line of readLines(getPath("communes"))) {
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

/**
 * Returns the official name of a commune: « Saint-Étienne ». An arrondissement has the name of its city.
 * @param code INSEE's code of a commune of today, or of a former one; null where a register has its label only, which is then looked for
 * among the communes of its postal code. @returns null when unknown.
 */
export function findCommuneName(code: string | null, postalCode: string | null = null, label: string | null = null): string | null {
	if (code === null) {
		const key = label && toKey(label);
		const commune =
			postalCode &&
			listCommunesByPostalCode()
				.get(postalCode)
				?.find(({ city }) => toKey(city) === key);
		return commune ? commune.city.replaceAll("'", "’") : null;
	}
	const city = arrondissementCities.find(({ arrondissement }) => arrondissement.test(code));
	return city?.city ?? listCommuneNames().get(code) ?? null;
}

/** « ST ETIENNE » and « Saint-Étienne » are the same. */
const toKey = (name: string) =>
	name
		.normalize("NFD")
		.toUpperCase()
		.replace(/[^A-Z]+/g, (between) => (/^\p{M}+$/u.test(between) ? "" : " "))
		.replace(/\bST(E?)\b/g, "SAINT$1")
		.trim();

/** The names by code, read at the first call (about 50 ms) and cached (about three megabytes). */
const listCommuneNames = lazy(() => {
	const names = new Map<string, string>();
	for (const line of readLines(getPath("communes"))) {
		const [, code, name] = line.match(/^\{"code":"(\w+)","nom":"([^"]+)"/) ?? [];
		// a former commune comes after the one of today
		if (code && name && !names.has(code)) names.set(code, name.replaceAll("'", "’"));
	}
	return names;
});

/** INSEE's codes of arrondissements, by city. */
export const arrondissementCities = [
	{ citycode: "75056", city: "Paris", arrondissement: /^751[012]\d$/ },
	{ citycode: "69123", city: "Lyon", arrondissement: /^6938[1-9]$/ },
	{ citycode: "13055", city: "Marseille", arrondissement: /^132[01]\d$/ },
];

/** Reads a file line by line, because the complete file would need much memory. It has one commune per line. */
function* readLines(file: string): Generator<string> {
	const descriptor = openSync(file, "r");
	try {
		const decoder = new TextDecoder();
		const buffer = Buffer.alloc(1 << 16);
		let rest = "";
		for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
			const completeLines = (rest + decoder.decode(buffer.subarray(0, length), { stream: true })).split("\n");
			rest = completeLines.pop() ?? "";
			yield* completeLines;
		}
		yield rest;
	} finally {
		closeSync(descriptor);
	}
}

/** Returns contexts by department code: « 75, Paris, Île-de-France ». If department and region have one name, it appears once. */
function readContexts(): Map<string, string> {
	const read = (list: string): { code: string; nom: string; region: string }[] => JSON.parse(readFileSync(getPath(list), "utf8"));
	const regions = new Map(read("regions").map(({ code, nom }) => [code, nom]));
	return new Map(
		read("departements").map(({ code, nom, region }) => [code, [...new Set([code, nom, regions.get(region) ?? nom])].join(", ")]),
	);
}

function getPath(list: string): string {
	return createRequire(import.meta.url).resolve(`@etalab/decoupage-administratif/data/${list}.json`);
}
