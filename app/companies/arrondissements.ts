/**
 * The cities whose arrondissements have separate postal codes. The register distinguishes them by postal code only.
 * Source: INSEE, code officiel géographique (communes 75101–75120, 69381–69389, 13201–13216); La Poste, base officielle des codes postaux.
 */
const cities: Record<string, { department: string; arrondissements: number }> = {
	paris: { department: "75", arrondissements: 20 },
	lyon: { department: "69", arrondissements: 9 },
	marseille: { department: "13", arrondissements: 16 },
};

const romans = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" ");

const town = `(?<town>${Object.keys(cities).join("|")})`;
const ordinal = "(?:er|e|eme|ieme)";
const unit = "(?: (?:arrondissement|arr|arrdt|ardt))?";
/** Matches « paris 8 », « paris 8e », « paris 8 eme », « paris viii », « paris 8e arrondissement ». */
const townFirst = new RegExp(
	`(?<= |^)${town} (?<span>(?<number>0?\\d{1,2}|[ivx]{2,}|[ivx]+(?=${ordinal}))(?: ?${ordinal})?${unit})(?= |$)`,
	"g",
);
/** Matches « 8e arrondissement de paris », « 3eme lyon ». */
const numberFirst = new RegExp(`(?<= |^)(?<span>(?<number>0?\\d{1,2}|[ivx]+)${ordinal}${unit}(?: de)?) ${town}(?= |$)`, "g");

/**
 * For each word of a query that names an arrondissement, returns other words for it: its postal code, and spellings of its number. `["boulangerie", "paris", "8e"]` → `[[], [], ["75008", "8", …]]`.
 */
export function listArrondissementWords(words: readonly string[]): string[][] {
	const text = words.join(" ");
	const alternatives = words.map((): string[] => []);
	for (const pattern of [townFirst, numberFirst]) {
		for (const { index, groups, 0: match } of text.matchAll(pattern)) {
			const { town = "", span = "", number = "" } = groups ?? {};
			const names = listSpellings(town, number, span);
			const first = countWords(text.slice(0, index + match.indexOf(` ${span}`) + 1));
			for (let place = first; names && place < first + countWords(span); place++) alternatives[place] = names;
		}
	}
	return alternatives;
}

/** Whether a word is the department number of the city before it: « marseille 13 » means the whole city. */
export function isDepartmentOfCity(word: string, before: string | undefined): boolean {
	return before !== undefined && cities[before]?.department === word;
}

/** « Paris 9e », « Lyon 1er »; any other town as it is. @param postalCode 75009; one of an arrondissement. */
export function formatTown(town: string, postalCode: string | null): string {
	const { department = "", arrondissements = 0 } = cities[town.toLowerCase()] ?? {};
	const [, code, two] = /^(\d\d)[01](\d\d)$/.exec(postalCode ?? "") ?? [];
	const arrondissement = code === department ? Number(two) : 0;
	if (arrondissement < 1 || arrondissement > arrondissements) return town;
	return `${town}\u00a0${arrondissement === 1 ? "1er" : `${arrondissement}e`}`;
}

function listSpellings(town: string, number: string, span: string): string[] | undefined {
	const { department = "", arrondissements = 0 } = cities[town] ?? {};
	const arrondissement = Number(number) || romans.indexOf(number) + 1;
	if (arrondissement < 1 || arrondissement > arrondissements || span === department || span === "vie") return undefined;
	const two = String(arrondissement).padStart(2, "0");
	const codes = [`${department}0${two}`];
	// the 16th arrondissement of Paris has two postal codes
	if (town === "paris" && arrondissement === 16) codes.push("75116");
	// after Marseille, 13 means the department
	const plainNumbers = String(arrondissement) === department ? [] : [String(arrondissement), two];
	const roman = romans[arrondissement - 1] ?? "";
	const names = [
		...codes,
		...plainNumbers,
		`${arrondissement}e`,
		arrondissement === 1 ? "1er" : `${arrondissement}eme`,
		...(roman.length > 1 ? [roman] : []),
	];
	return [...new Set(names)];
}

const countWords = (text: string) => text.split(" ").filter(Boolean).length;
