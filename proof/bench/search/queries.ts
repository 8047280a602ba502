import type { CompanySearch } from "../../../app/companies/search/company-search.ts";
import { tokenize } from "../../../app/companies/search/tokens.ts";
import type { Random } from "../../../test/random.ts";
import { findLongestWord, mistype } from "../typing-errors.ts";
import { type DrawnCompany, listFrequentWords } from "./draw-companies.ts";

export interface Query {
	kind: string;
	/** Its text is a part of a name, which `ILIKE` finds too. */
	ofName: boolean;
	search: CompanySearch;
}

interface Kind {
	ofName?: true;
	/** Whether this kind of query can search for a company. */
	applies?: (company: DrawnCompany) => boolean;
	make(draw: { company: DrawnCompany; random: Random; frequent: readonly string[] }): Partial<CompanySearch>;
}

const beginning = (word: string, random: Random) => word.slice(0, 3 + Math.floor(random.next() * 3)).toLowerCase();
const spaced = (siren: string) => siren.replace(/(\d{3})(?=\d)/g, "$1 ");
const wordsOfName = (name: string) => name.split(/[\s'-]+/).filter(({ length }) => length >= 3);
const known = ["boulangerie paris", "sci du parc", "philippe martin"];

/** Frequent words: of a known query, of one company, or of unrelated companies. */
function severalFrequent({ name, city }: DrawnCompany, random: Random, frequent: readonly string[]): string {
	const chance = random.next();
	const ofCompany = [...new Set(tokenize(`${name} ${city}`))].filter((word) => frequent.includes(word)).slice(0, 3);
	if (chance < 0.3) return random.pick(known);
	if (chance < 0.8 && ofCompany.length >= 2) return ofCompany.join(" ");
	if (chance < 0.8) return [...new Set([...ofCompany, random.pick(frequent), random.pick(frequent)])].slice(0, 2).join(" ");
	const drawn = Array.from({ length: random.next() < 0.7 ? 2 : 3 }, () => random.pick(frequent));
	return [...new Set(drawn)].join(" ");
}

const kinds: Record<string, Kind> = {
	"full name": { ofName: true, make: ({ company }) => ({ query: company.name }) },
	"name in lower case": { ofName: true, make: ({ company }) => ({ query: company.name.toLowerCase() }) },
	"beginning of a name": { ofName: true, make: ({ company, random }) => ({ query: beginning(company.name, random) }) },
	"two beginnings": {
		applies: ({ name }) => wordsOfName(name).length >= 2,
		make({ company, random }) {
			const [first = "", second = ""] = wordsOfName(company.name);
			return { query: `${beginning(first, random)} ${beginning(second, random)}` };
		},
	},
	"word and city": { make: ({ company }) => ({ query: `${findLongestWord(company.name)} ${company.city}` }) },
	city: { make: ({ company }) => ({ query: company.city }) },
	SIREN: { make: ({ company }) => ({ query: company.siren }) },
	"spaced SIREN": { make: ({ company }) => ({ query: spaced(company.siren) }) },
	"first digits": { make: ({ company, random }) => ({ query: company.siren.slice(0, 4 + Math.floor(random.next() * 2)) }) },
	"name, department": {
		ofName: true,
		make: ({ company }) => ({ query: findLongestWord(company.name), departement: company.department }),
	},
	"word, form": {
		ofName: true,
		applies: ({ form }) => form !== undefined,
		make: ({ company }) => ({ query: findLongestWord(company.name), formes: company.form ? [company.form] : [] }),
	},
	"city, form, sector": {
		applies: ({ form, sector }) => form !== undefined && sector !== undefined,
		make: ({ company }) => ({ query: company.city, formes: company.form ? [company.form] : [], secteur: company.sector ?? null }),
	},
	"page 2 to 5": {
		make: ({ company, random, frequent }) => ({
			query: random.next() < 0.5 ? company.city : random.pick(frequent),
			page: 2 + Math.floor(random.next() * 4),
		}),
	},
	"frequent word": { ofName: true, make: ({ random, frequent }) => ({ query: random.pick(frequent) }) },
	"frequent words": {
		make: ({ company, random, frequent }) => ({ query: severalFrequent(company, random, frequent) }),
	},
	"frequent word, department, form": {
		ofName: true,
		applies: ({ form }) => form !== undefined,
		make: ({ company, random, frequent }) => ({
			query: random.pick(frequent),
			departement: company.department,
			formes: company.form ? [company.form] : [],
		}),
	},
	"typing error": {
		ofName: true,
		applies: ({ name }) => findLongestWord(name).length >= 5,
		make({ company, random }) {
			const word = findLongestWord(company.name);
			return { query: company.name.replace(word, mistype(word, random)) };
		},
	},
	"typing error and city": {
		applies: ({ name }) => findLongestWord(name).length >= 5,
		make: ({ company, random }) => ({ query: `${mistype(findLongestWord(company.name), random)} ${company.city}` }),
	},
	"nothing found": {
		ofName: true,
		make({ random }) {
			const letters = (count: number) => Array.from({ length: count }, () => random.pick([..."bcdfghjklmnpqrstvwxz"])).join("");
			return { query: random.next() < 0.5 ? letters(8) : `${letters(6)} ${letters(7)}` };
		},
	},
};

export const kindNames = Object.keys(kinds);

/** `perKind` queries of each kind, in turns. */
export function drawQueries(companies: readonly DrawnCompany[], perKind: number, random: Random): Query[] {
	const frequent = listFrequentWords(companies, 40);
	const queries: Query[] = [];
	for (let round = 0; round < perKind; round++) {
		for (const [kind, { ofName = false, applies = () => true, make }] of Object.entries(kinds)) {
			let company = random.pick(companies);
			for (let attempt = 0; !applies(company); attempt++) {
				if (attempt === 10_000) throw new Error(`no company for queries of the kind « ${kind} »`);
				company = random.pick(companies);
			}
			const search = { query: "", departement: null, formes: [], secteur: null, page: 1, ...make({ company, random, frequent }) };
			queries.push({ kind, ofName, search });
		}
	}
	return queries;
}
