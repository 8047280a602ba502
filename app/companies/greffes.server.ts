import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { lazy } from "../../server/lazy.ts";

/** The names of the list that need an accent or a sign, as they are written. */
const spellings = [
	...[
		"Aix-en-Provence",
		"Alençon",
		"Angoulême",
		"Bar-le-Duc",
		"Béziers",
		"Besançon",
		"Boulogne-sur-Mer",
		"Bourg-en-Bresse",
		"Châlons-en-Champagne",
	],
	...[
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
	],
	...[
		"Le Puy-en-Velay",
		"La Roche-sur-Yon",
		"Lille Métropole",
		"Lons-le-Saunier",
		"Mâcon",
		"Mata-Utu",
		"Mont-de-Marsan",
		"Montluçon",
		"Nîmes",
	],
	...[
		"Nouvelle-Calédonie",
		"Orléans",
		"Périgueux",
		"Pointe-à-Pitre",
		"Saint-Denis-de-La-Réunion",
		"Saint-Étienne",
		"Saint-Malo",
		"Saint-Pierre",
	],
	...["Saint-Pierre-de-La-Réunion", "Salon-de-Provence", "Thonon-les-Bains"],
];
const spelled = new Map(spellings.map((name) => [plain(name), name]));

/** One text of half a megabyte. */
const communes = lazy(() =>
	gunzipSync(readFileSync(createRequire(import.meta.url).resolve("#data/nomenclatures/greffes-par-commune.csv.gz"))).toString(),
);

/**
 * The greffe of a commune, as a public list has it: a hint, as territories change, never a proof.
 * @param commune INSEE's code, of a commune or an arrondissement. @returns « Aix-en-Provence »; null where the list has none, as abroad.
 */
export function greffeOf(commune: string): string | null {
	const list = communes();
	const start = list.indexOf(`\n${commune},`);
	if (start === -1) return null;
	const name = list
		.slice(start + commune.length + 2, list.indexOf("\n", start + 1))
		.trim()
		.replace(/ \(TGI\)$/, "");
	if (/infogreffe/i.test(name)) return null; // stands for abroad
	return spelled.get(plain(name)) ?? name.toLowerCase().replace(/(^|[ -])(\p{L})/gu, (letter) => letter.toUpperCase());
}

function plain(name: string): string {
	return name.normalize("NFD").replace(/\p{M}/gu, "").replaceAll(" ", "-").toUpperCase();
}
