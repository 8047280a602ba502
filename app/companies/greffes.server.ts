import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { lazy } from "../../server/lazy.ts";

/** The names that need accents, which the list lacks. */
const spellings = [
	"Aix-en-Provence",
	"Alençon",
	"Angoulême",
	"Bar-le-Duc",
	"Béziers",
	"Besançon",
	"Boulogne-sur-Mer",
	"Bourg-en-Bresse",
	"Châlons-en-Champagne",
	"Chalon-sur-Saône",
	"Chambéry",
	"Châteauroux",
	"Compiègne",
	"Créteil",
	"Épinal",
	"Évreux",
	"Évry",
	"Fort-de-France",
	"Fréjus",
	"Guéret",
	"Le Puy-en-Velay",
	"La Roche-sur-Yon",
	"Lille Métropole",
	"Lons-le-Saunier",
	"Mâcon",
	"Mata-Utu",
	"Mont-de-Marsan",
	"Montluçon",
	"Nîmes",
	"Nouvelle-Calédonie",
	"Orléans",
	"Périgueux",
	"Pointe-à-Pitre",
	"Saint-Denis-de-La-Réunion",
	"Saint-Étienne",
	"Saint-Malo",
	"Saint-Pierre",
	"Saint-Pierre-de-La-Réunion",
	"Salon-de-Provence",
	"Thonon-les-Bains",
];
const spellingsByKey = new Map(spellings.map((name) => [toKey(name), name]));

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
	return spellingsByKey.get(toKey(name)) ?? name.toLowerCase().replace(/(^|[ -])(\p{L})/gu, (letter) => letter.toUpperCase());
}

function toKey(name: string): string {
	return name.normalize("NFD").replace(/\p{M}/gu, "").replaceAll(" ", "-").toUpperCase();
}
