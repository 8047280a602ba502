/**
 * The towns whose arrondissements have postal codes of their own, which alone tell them apart in the registry: it calls the town « PARIS ».
 * Source: INSEE, code officiel géographique (communes 75101–75120, 69381–69389, 13201–13216); La Poste, base officielle des codes postaux.
 */
const towns: Record<string, { department: string; arrondissements: number }> = {
	paris: { department: "75", arrondissements: 20 },
	lyon: { department: "69", arrondissements: 9 },
	marseille: { department: "13", arrondissements: 16 },
};

const romans = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" ");

const town = `(?<town>${Object.keys(towns).join("|")})`;
const ordinal = "(?:er|e|eme|ieme)";
const unit = "(?: (?:arrondissement|arr|arrdt|ardt))?";
/** « paris 8 », « paris 8e », « paris 8 eme », « paris viii », « paris 8e arrondissement ». */
const townFirst = new RegExp(
	`(?<= |^)${town} (?<span>(?<number>0?\\d{1,2}|[ivx]{2,}|[ivx]+(?=${ordinal}))(?: ?${ordinal})?${unit})(?= |$)`,
	"g",
);
/** « 8e arrondissement de paris », « 3eme lyon ». */
const numberFirst = new RegExp(`(?<= |^)(?<span>(?<number>0?\\d{1,2}|[ivx]+)${ordinal}${unit}(?: de)?) ${town}(?= |$)`, "g");

/**
 * The words under which an arrondissement is found, for each word of a query that names one beside its town: its postal code, and its number as
 * a name may hold it. `["boulangerie", "paris", "8e"]` → `[[], [], ["75008", "8", …]]`.
 */
export function arrondissementWords(words: readonly string[]): string[][] {
	const text = words.join(" ");
	const found = words.map((): string[] => []);
	for (const pattern of [townFirst, numberFirst]) {
		for (const { index, groups, 0: match } of text.matchAll(pattern)) {
			const { town = "", span = "", number = "" } = groups ?? {};
			const names = namesOf(town, number, span);
			const first = countWords(text.slice(0, index + match.indexOf(` ${span}`) + 1));
			for (let place = first; names && place < first + countWords(span); place++) found[place] = names;
		}
	}
	return found;
}

/** Whether a word is the number of the department of the town before it: « marseille 13 » is the whole town. */
export function isDepartmentOfTown(word: string, before: string | undefined): boolean {
	return before !== undefined && towns[before]?.department === word;
}

function namesOf(town: string, number: string, span: string): string[] | undefined {
	const { department = "", arrondissements = 0 } = towns[town] ?? {};
	const which = Number(number) || romans.indexOf(number) + 1;
	if (which < 1 || which > arrondissements || span === department || span === "vie") return undefined;
	const two = String(which).padStart(2, "0");
	const codes = [`${department}0${two}`];
	// the 16th arrondissement of Paris has two
	if (town === "paris" && which === 16) codes.push("75116");
	// in a name of Marseille, 13 is the department
	const plain = String(which) === department ? [] : [String(which), two];
	const roman = romans[which - 1] ?? "";
	const names = [...codes, ...plain, `${which}e`, which === 1 ? "1er" : `${which}eme`, ...(roman.length > 1 ? [roman] : [])];
	return [...new Set(names)];
}

const countWords = (text: string) => text.split(" ").filter(Boolean).length;
