import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { lazy } from "../../../server/lazy.ts";
import { formatGreffeName } from "./greffe-names.ts";

/** The list as one text of half a megabyte. */
const loadCommunes = lazy(() =>
	gunzipSync(readFileSync(createRequire(import.meta.url).resolve("#data/nomenclatures/greffes-par-commune.csv.gz"))).toString(),
);

/**
 * Returns the greffe of a commune according to a public list. It is a hint only, because territories change.
 * @param commune INSEE's code of a commune or an arrondissement. @returns « Aix-en-Provence »; null when unknown or abroad.
 */
export function findGreffe(commune: string): string | null {
	const communeList = loadCommunes();
	const start = communeList.indexOf(`\n${commune},`);
	if (start === -1) return null;
	const name = communeList
		.slice(start + commune.length + 2, communeList.indexOf("\n", start + 1))
		.trim()
		.replace(/ \(TGI\)$/, "");
	if (/infogreffe/i.test(name)) return null; // the list's entry for places abroad
	return formatGreffeName(name);
}
