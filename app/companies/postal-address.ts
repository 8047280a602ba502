/** An address as people write it: « 59 rue La Fayette », « Saint-Étienne ». Values are null when unknown or withheld. */
export interface PostalAddress {
	/** Building, floor, post box. */
	complement: string | null;
	/** House number and street. */
	street: string | null;
	postalCode: string | null;
	city: string | null;
}

const wordSet = (words: string) => new Set(words.split(/\s+/));

/** Kinds of streets and places, in lower case when they begin the street: « rue de la Paix ». */
const streetTypes = wordSet(
	`all allee allees ancien ancienne av ave avenue bd bld blvd boulevard carrefour ch chaussee che chemin cite clos corniche cote cour cours descente domaine
	ecart escalier esplanade faubourg fg grand grande hameau halle immeuble imp impasse lieu lieu-dit lotissement mail marche montee parc parvis passage
	petit petite pl place plaine plateau pont port promenade quai quartier res residence rocade rond rond-point route rte rue ruelle sente sentier
	sq square terre-plein tour traverse venelle villa village voie vieux vieille zone`,
);
/**
 * Street types that some rows have abbreviated in the name of the street: « 1 CAR BEAUPEYRAT ». Source: INSEE, variable typeVoieEtablissement.
 * Abbreviations that are also names or words (DOM, MAR, PAS, RES, ROC) are left out.
 */
const typeAbbreviations = new Map(
	`ALL allée,AV avenue,BD boulevard,CAR carrefour,CHE chemin,CHS chaussée,CRS cours,DSC descente,ESP esplanade,HAM hameau,IMP impasse,MTE montée,
	PL place,PRO promenade,QUA quartier,RLE ruelle,RTE route,SEN sentier,SQ square,TRA traverse,VLA villa`
		.split(",")
		.map((entry): [string, string] => {
			const [short = "", long = ""] = entry.trim().split(" ");
			return [short, long];
		}),
);
/** A house number, with its repetition index if any, and an abbreviated type before the first word of a name. */
const abbreviatedType = new RegExp(
	`^(\\d+ (?:(?:BIS|TER|QUATER|[A-Z]) )?)(${[...typeAbbreviations.keys()].join("|")}) +(?=\\p{L}{2})`,
	"u",
);

/** Words that follow a kind of place: « zone industrielle », « parc d’activités ». */
const placeWords = wordSet(
	"activite activites affaires artisanal artisanale artisanales commercial commerciale commune communal communale departementale expresse industriel industrielle industrielles plein point tertiaire",
);
/** The floor, door or part of a building. */
const partWords = wordSet(
	"appartement appt batiment bt bat boite bureau etage entree escalier hall lot niveau porte bis ter quater chez numero",
);
const smallWords = wordSet("a au aux d de des dit du en entre et lez ou par pour pres sous sur vers");
/** In lower case after a small word (« rue de la Paix »), else part of a name (« rue La Fayette »). */
const articles = wordSet("la le les l");
const abbreviations = wordSet("BP CC CD CEDEX DB CHU CS HLM PA PAE RD RDC RN SP TSA ZA ZAC ZAD ZAE ZI ZUP");
const saints = wordSet("st ste saint sainte saints");

/** A word without vowels is made of initials: « avenue JRGG de la Lauzière ». */
const initials = /^[bcdfghjklmnpqrstvwxz]{3,}$/;
/** Abbreviated titles, which are not. */
const titles = wordSet("cdt cpt drs mgr pdt prs sgt");

const months = wordSet("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre");

/** Frequent words of addresses that the register writes without their accents. */
const accented = new Map(
	`activité activités allée allées août bât bâtiment chaussée cité départementale entrée étage hôpital hôtel île lycée marché montée périphérique résidence décembre février
	André Barthélemy Bérégovoy Cécile Clément Défense Égalité Église Élysées Émile Étienne Étoile Eugène Félix François Fédérés Frédéric Frères 
	Geneviève Général Gérard Hélène Honoré Jaurès Joséphine Jérôme Léon Léonard Léopold Libération Liberté Maréchal Médéric Métiers Opéra
	Préfecture Président Péri Résistance René Rhône République Salengro Sébastien Sémard Théodore Théâtre Trinité Thérèse Valéry Émilion Écoles École Évêché`
		.split(/\s+/)
		.map((word) => [unaccented(word), word.toLowerCase()] as const),
);

function unaccented(word: string): string {
	// most words have no accent, and a search formats nine addresses
	return (/^[A-Z]*$/.test(word) ? word : word.normalize("NFD").replace(/\p{M}/gu, "")).toLowerCase();
}

const romanNumeral = /^(?=[ivx]{2})(x{0,3})(ix|iv|v?i{0,3})(e|eme)?$/;
const ordinal = /^\d+(er|re|e|eme|ieme|nd|nde)$/;
/** A letter that the register separates from its word by a space: D ALSACE is d’Alsace. */
const elision = /(?<![\p{L}\p{N}'’])([DL])[ '’]+(?=[AEIOUYHÀÂÉÈÊËÎÏÔŒÛ]\p{L})/gu;

/**
 * Formats a street, a complement or a place in the register's capitals as people write it: « 59 RUE LA FAYETTE » → « 59 rue La Fayette ».
 * A text with lower-case letters is returned unchanged.
 */
export function formatStreet(text: string): string {
	if (/\p{Ll}/u.test(text)) return text;
	const street = text.replace(
		abbreviatedType,
		(_, number: string, type: string) => `${number}${typeAbbreviations.get(type)?.toUpperCase()} `,
	);
	const words = (/(?<![\p{L}\p{N}])[DL][ '’]|['`´]/u.test(street) ? separateElisions(street) : street).split(/(?<=[ (/,])/);
	let formatted = "";
	let previous = "";
	let isFirst = true;
	for (const [index, word] of words.entries()) {
		const [start, letters, end] = splitWord(word);
		const key = unaccented(letters);
		const isLast = index === words.length - 1;
		formatted += start + formatWord(letters, key, { previous, isFirst, endsPart: isLast || end !== " " });
		formatted += saints.has(key) && end === " " && !isLast ? "-" : end;
		if (key === "") continue;
		previous = key;
		isFirst &&= key.length === 1 || partWords.has(key) || /\d/.test(key);
	}
	return formatted.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

const plainWord = /^([A-Z0-9]+)( ?)$/;

/** What stands before the letters and digits of a word, they themselves, and what follows. */
function splitWord(word: string): [string, string, string] {
	const [isPlain, plain = "", blank = ""] = plainWord.exec(word) ?? [];
	if (isPlain !== undefined) return ["", plain, blank];
	const start = /^[^\p{L}\p{N}]*/u.exec(word)?.[0] ?? "";
	const end = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u.exec(word.slice(start.length))?.[0] ?? "";
	return [start, word.slice(start.length, word.length - end.length), end];
}

/** Joins the letter that the register separates from its word, and sets typographic apostrophes. */
function separateElisions(text: string): string {
	return text
		.replace(elision, (match, letter: string, offset: number) => (isRepetitionLetter(text, offset + match.length) ? match : `${letter}’`))
		.replace(/['`´]/g, "’");
}

/** Whether the letter before a word is a repetition index, as in « 12 D ALLEE DES PINS ». */
function isRepetitionLetter(text: string, wordAt: number): boolean {
	const word = text.slice(wordAt).match(/^[\p{L}-]+/u)?.[0] ?? "";
	return /\d\s+[DL][ '’]+$/u.test(text.slice(0, wordAt)) && streetTypes.has(unaccented(word));
}

/** What stands around a word. */
interface WordContext {
	/** The word before, in lower case without accents; "" at the beginning. */
	previous: string;
	/** Whether only numbers, letters and parts of buildings stand before it. */
	isFirst: boolean;
	/** Whether no word of the same part follows. */
	endsPart: boolean;
}

/** @param key the word in lower case without accents. */
function formatWord(word: string, key: string, { previous, isFirst, endsPart }: WordContext): string {
	if (abbreviations.has(word)) return word;
	if (ordinal.test(key)) return key.replace(/(?<=\d)i?eme$/, "e");
	const roman = key.match(romanNumeral);
	if (roman) return key.slice(0, key.length - (roman[3]?.length ?? 0)).toUpperCase() + (roman[3] ? "e" : "");
	if (/\d/.test(key) && !/\p{L}{4}/u.test(key)) return /^\d+(bis|ter|quater)$/.test(key) ? key : word;
	if (articles.has(key) && key.length > 1) return smallWords.has(previous) && previous !== "dit" ? key : capitalize(key);
	if (smallWords.has(key) && !endsPart && !(key.length === 1 && (isFirst || streetTypes.has(previous)))) return key;
	if (key.length === 1) return word;
	if (partWords.has(key) || placeWords.has(key) || (months.has(key) && /\d/.test(previous))) return accented.get(key) ?? key;
	if (streetTypes.has(key) && (isFirst || streetTypes.has(previous))) return accented.get(key) ?? key;
	return formatParts(key, previous);
}

/** Formats the parts of a word that hyphens and apostrophes separate: « st-ange » → « St-Ange », « d’alsace » → « d’Alsace ». */
function formatParts(word: string, before: string): string {
	return word
		.split(/(?<=[-’.&])/)
		.map((part, index, parts) => {
			const letters = part.replace(/[-’.&]$/, "");
			const end = part.slice(letters.length);
			if (end === "’" && /^(d|l|s|n|j|m|c|t|qu|jusqu|lorsqu)$/.test(letters)) {
				const isName = letters === "l" && index === 0 && (before === "dit" || !smallWords.has(before));
				return (isName ? "L" : letters) + end;
			}
			const inside = index > 0 && end === "-" && parts[index - 1]?.endsWith("-") === true;
			if (inside && (smallWords.has(letters) || articles.has(letters))) return letters + end;
			if (letters.length > 1 && romanNumeral.test(letters)) return letters.toUpperCase() + end;
			if (initials.test(letters) && !titles.has(letters)) return letters.toUpperCase() + end;
			const written = accented.get(letters) ?? letters;
			return (placeWords.has(letters) && index > 0 ? written : capitalize(written)) + end;
		})
		.join("");
}

function capitalize(word: string): string {
	return word.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}

/**
 * Turns the address of a row of the register into parts, as people write them.
 * @param communeName the official name of the commune; null when unknown or abroad, and the register's label is formatted in its place.
 */
export function toPostalAddress(
	register: { address: string | null; address_complement: string | null; postal_code: string | null; city: string | null },
	communeName: string | null,
): PostalAddress | null {
	const { address, address_complement, postal_code, city } = register;
	if (!address && !address_complement && !postal_code && !city) return null;
	return {
		complement: address_complement && formatStreet(address_complement),
		street: address && formatStreet(address),
		postalCode: postal_code,
		city: city && (communeName ?? formatStreet(city)),
	};
}
