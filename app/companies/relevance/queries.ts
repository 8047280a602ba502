import { apostrophes } from "./apostrophes.ts";
import { famous, homonyms, legalForm, nameWithPostalCodeOrDepartment, number } from "./claims.ts";
import { oneLetterMistyped, twoWordsOneMistyped } from "./mistakes.ts";
import { fullName, nameWithCity, partialName, wordsInAnotherOrder } from "./names.ts";
import { nameWithArrondissement } from "./places.ts";
import type { Row } from "./row.ts";
import { abbreviations, accentsAndPunctuation, acronyms, tradeSign } from "./spellings.ts";

/**
 * What a bank clerk, a lawyer, an accountant or a curious customer types, by kind, and the company of the embedded sample that they mean.
 * Written from the register before any search was run. `first` where nobody else has that name or a better claim to it, `page` (the first nine) otherwise.
 */
export const relevance: Record<string, Row[]> = {
	"full name": fullName,
	"partial name": partialName,
	"name with city": nameWithCity,
	"words in another order": wordsInAnotherOrder,
	"accents and punctuation": accentsAndPunctuation,
	abbreviations,
	acronyms,
	"trade sign": tradeSign,
	"one letter mistyped": oneLetterMistyped,
	"two words, one mistyped": twoWordsOneMistyped,
	homonyms,
	"name with postal code or department": nameWithPostalCodeOrDepartment,
	"name with arrondissement": nameWithArrondissement,
	apostrophes,
	number,
	"legal form": legalForm,
	famous,
};
