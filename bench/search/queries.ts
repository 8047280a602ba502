import type { CompanySearch } from "../../app/companies/search/company-search.ts";
import { words } from "../../app/companies/search/tokens.ts";
import type { Random } from "../random.ts";
import { longestWord, mistype } from "../typing-errors.ts";
import { type DrawnCompany, frequentWords } from "./drawn-companies.ts";

/** What a kind of query is made of, which tells which rivals can answer it: a part of a name, words of name and city, or digits. */
type Of = "name" | "words" | "digits";

export interface Query {
	kind: string;
	of: Of;
	search: CompanySearch;
}

interface Drawing {
	company: DrawnCompany;
	random: Random;
	frequent: readonly string[];
}

interface Kind {
	of: Of;
	/** What a company must have to be looked for in this way. */
	needs?: (company: DrawnCompany) => boolean;
	make(drawing: Drawing): Partial<CompanySearch>;
}

const beginning = (word: string, random: Random) => word.slice(0, 3 + Math.floor(random.next() * 3)).toLowerCase();
const spaced = (siren: string) => siren.replace(/(\d{3})(?=\d)/g, "$1 ");
const wordsOfName = (name: string) => name.split(/[\s'-]+/).filter(({ length }) => length >= 3);
const known = ["boulangerie paris", "sci du parc", "philippe martin"];

/** Known ones; those of one company, else of two; now and then some that have nothing to do with each other. */
function severalFrequent({ name, city }: DrawnCompany, random: Random, frequent: readonly string[]): string {
	const chance = random.next();
	const ofCompany = [...new Set(words(`${name} ${city}`))].filter((word) => frequent.includes(word)).slice(0, 3);
	if (chance < 0.3) return random.pick(known);
	if (chance < 0.8 && ofCompany.length >= 2) return ofCompany.join(" ");
	if (chance < 0.8) return [...new Set([...ofCompany, random.pick(frequent), random.pick(frequent)])].slice(0, 2).join(" ");
	const drawn = Array.from({ length: random.next() < 0.7 ? 2 : 3 }, () => random.pick(frequent));
	return [...new Set(drawn)].join(" ");
}

const kinds: Record<string, Kind> = {
	"full name": { of: "name", make: ({ company }) => ({ query: company.name }) },
	"name in lower case": { of: "name", make: ({ company }) => ({ query: company.name.toLowerCase() }) },
	"beginning of a name": { of: "name", make: ({ company, random }) => ({ query: beginning(company.name, random) }) },
	"two beginnings": {
		of: "words",
		needs: ({ name }) => wordsOfName(name).length >= 2,
		make({ company, random }) {
			const [first = "", second = ""] = wordsOfName(company.name);
			return { query: `${beginning(first, random)} ${beginning(second, random)}` };
		},
	},
	"word and city": { of: "words", make: ({ company }) => ({ query: `${longestWord(company.name)} ${company.city}` }) },
	city: { of: "words", make: ({ company }) => ({ query: company.city }) },
	SIREN: { of: "digits", make: ({ company }) => ({ query: company.siren }) },
	"spaced SIREN": { of: "digits", make: ({ company }) => ({ query: spaced(company.siren) }) },
	"first digits": { of: "digits", make: ({ company, random }) => ({ query: company.siren.slice(0, 4 + Math.floor(random.next() * 2)) }) },
	"name, department": {
		of: "name",
		make: ({ company }) => ({ query: longestWord(company.name), departement: company.department }),
	},
	"word, form": {
		of: "name",
		needs: ({ form }) => form !== undefined,
		make: ({ company }) => ({ query: longestWord(company.name), formes: company.form ? [company.form] : [] }),
	},
	"city, form, sector": {
		of: "words",
		needs: ({ form, sector }) => form !== undefined && sector !== undefined,
		make: ({ company }) => ({ query: company.city, formes: company.form ? [company.form] : [], secteur: company.sector ?? null }),
	},
	"page 2 to 5": {
		of: "words",
		make: ({ company, random, frequent }) => ({
			query: random.next() < 0.5 ? company.city : random.pick(frequent),
			page: 2 + Math.floor(random.next() * 4),
		}),
	},
	"frequent word": { of: "name", make: ({ random, frequent }) => ({ query: random.pick(frequent) }) },
	"frequent words": {
		of: "words",
		make: ({ company, random, frequent }) => ({ query: severalFrequent(company, random, frequent) }),
	},
	"frequent word, department, form": {
		of: "name",
		needs: ({ form }) => form !== undefined,
		make: ({ company, random, frequent }) => ({
			query: random.pick(frequent),
			departement: company.department,
			formes: company.form ? [company.form] : [],
		}),
	},
	"typing error": {
		of: "name",
		needs: ({ name }) => longestWord(name).length >= 5,
		make({ company, random }) {
			const word = longestWord(company.name);
			return { query: company.name.replace(word, mistype(word, random)) };
		},
	},
	"typing error and city": {
		of: "words",
		needs: ({ name }) => longestWord(name).length >= 5,
		make: ({ company, random }) => ({ query: `${mistype(longestWord(company.name), random)} ${company.city}` }),
	},
	"nothing found": {
		of: "name",
		make({ random }) {
			const letters = (count: number) => Array.from({ length: count }, () => random.pick([..."bcdfghjklmnpqrstvwxz"])).join("");
			return { query: random.next() < 0.5 ? letters(8) : `${letters(6)} ${letters(7)}` };
		},
	},
};

export const kindNames = Object.keys(kinds);

/** So many queries of each kind, the kinds taking turns. */
export function drawQueries(companies: readonly DrawnCompany[], perKind: number, random: Random): Query[] {
	const frequent = frequentWords(companies, 40);
	const queries: Query[] = [];
	for (let round = 0; round < perKind; round++) {
		for (const [kind, { of, needs = () => true, make }] of Object.entries(kinds)) {
			let company = random.pick(companies);
			for (let attempt = 0; !needs(company); attempt++) {
				if (attempt === 10_000) throw new Error(`no company can be looked for by ${kind}`);
				company = random.pick(companies);
			}
			const search = { query: "", departement: null, formes: [], secteur: null, page: 1, ...make({ company, random, frequent }) };
			queries.push({ kind, of, search });
		}
	}
	return queries;
}
