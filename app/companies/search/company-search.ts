import { cleanLine } from "../../forms/text.ts";
import type { CompanySummary } from "../company.ts";
import { departments } from "../departments.ts";
import { type LegalForm, legalForms } from "../legal-forms.ts";
import { type Sector, sectors } from "../sectors.ts";
import { words } from "./tokens.ts";

export const resultsPerPage = 9;
/** Counting stops here: « plus de 1 000 entreprises ». */
export const largestTotal = 1000;

/** What is searched. An empty list or null filters nothing. */
export interface CompanySearch {
	query: string;
	departement: string | null;
	formes: LegalForm[];
	secteur: Sector["value"] | null;
	/** From 1. */
	page: number;
}

export interface SearchResult {
	query: string;
	/** What was searched in place of the query, which found nothing. */
	corrected: string | null;
	page: number;
	perPage: typeof resultsPerPage;
	/** At most 1 000. */
	total: number;
	totalIsCapped: boolean;
	results: CompanySummary[];
}

/** How many results each value of a filter would leave, the other filters as they are. Values without any are absent. */
export interface FilterCounts {
	departement: Record<string, number>;
	forme: Partial<Record<LegalForm, number>>;
	secteur: Partial<Record<Sector["value"], number>>;
}

/** Longest text that is searched, in characters; no name is longer. */
const longestText = 200;

/** The text of a search, as it is compared and shown. */
export const cleanText = (text: string): string => cleanLine(text, longestText);

/** Known values as they are compared, made once: a page is asked for many times. */
const formTexts = new Map(legalForms.map((form) => [form, sameText(form)]));
const sectorTexts = new Map<string, Sector["value"]>(
	sectors.flatMap(({ value, label }) => [[value, value] as const, [sameText(label), value] as const]),
);

/** Reads a search from a URL's query. Values that are none of ours are left out: they filter nothing. */
export function parseCompanySearch(params: URLSearchParams): CompanySearch {
	const wanted = new Set(
		params
			.getAll("forme")
			.flatMap((value) => value.split(","))
			.map(sameText),
	);
	const departement = params.get("departement")?.trim().toUpperCase() ?? "";
	const secteur = sameText(params.get("secteur") ?? "");
	const page = Number(params.get("page"));
	return {
		query: cleanText(params.get("q") ?? ""),
		departement: departments.has(departement) ? departement : null,
		formes: legalForms.filter((form) => wanted.has(formTexts.get(form) ?? "")),
		secteur: sectorTexts.get(secteur) ?? null,
		page: Number.isSafeInteger(page) && page > 0 ? page : 1,
	};
}

/** The query of the URL that repeats a search; `page` 1 is left out. */
export function companySearchParams({ query, departement, formes, secteur, page }: CompanySearch): URLSearchParams {
	const params = new URLSearchParams({ q: query });
	if (departement) params.set("departement", departement);
	for (const form of formes) params.append("forme", form);
	if (secteur) params.set("secteur", secteur);
	if (page > 1) params.set("page", String(page));
	return params;
}

/** Case, accents and punctuation aside. */
function sameText(text: string): string {
	return words(text.slice(0, longestText)).join("-");
}
