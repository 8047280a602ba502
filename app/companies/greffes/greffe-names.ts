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

/** Spells the city of a greffe: « AIX EN PROVENCE » → « Aix-en-Provence ». */
export function formatGreffeName(name: string): string {
	return (
		spellingsByKey.get(toKey(name)) ??
		name
			.toLowerCase()
			.replace(/(^|[ -])(\p{L})/gu, (letter) => letter.toUpperCase())
			.replace(/(?<=[ -])(?:Sur|Sous|De|Du|Des|En|Et|Les)(?=[ -])/g, (word) => word.toLowerCase())
	);
}

function toKey(name: string): string {
	return name.normalize("NFD").replace(/\p{M}/gu, "").replaceAll(" ", "-").toUpperCase();
}
