import { cleanLine } from "../../ui/forms/text.ts";
import type { CompanySummary } from "../company.ts";
import { departments } from "../departments.ts";
import { type LegalForm, legalForms } from "../legal-forms.ts";
import { type Sector, sectors } from "../sectors.ts";
import { tokenize } from "./tokens.ts";

export const resultsPerPage = 9;
/** The search counts no further: « plus de 1 000 entreprises ». */
export const maxTotal = 1000;

/** A search. An empty list or null means no filter. */
export interface CompanySearch {
	query: string;
	departement: string | null;
	formes: LegalForm[];
	secteur: Sector["value"] | null;
	/** From 1. */
	page: number;
}

export const isFiltered = ({ departement, formes, secteur }: Pick<CompanySearch, "departement" | "formes" | "secteur">): boolean =>
	departement !== null || formes.length > 0 || secteur !== null;

export interface Total {
	/** At most 1 000. */
	total: number;
	totalIsCapped: boolean;
}

export interface SearchResult extends Total {
	query: string;
	/** The corrected query, when the original one found nothing. */
	corrected: string | null;
	/** The words that were searched, when all words together found nothing and some were dropped. */
	dropped: string | null;
	/** The query without its words for the document, when it has others; `corrected` and `dropped` come from it. */
	withoutDocument: string | null;
	/** The words that were searched. */
	searched: string;
	/** The companies that the filters exclude, when they leave none. */
	withoutFilters: Total | null;
	page: number;
	perPage: typeof resultsPerPage;
	results: CompanySummary[];
}

/** The number of results for each value of a filter, with the other filters unchanged. Values without results are absent. */
export interface FilterCounts {
	departement: Partial<Record<string, number>>;
	forme: Partial<Record<LegalForm, number>>;
	secteur: Partial<Record<Sector["value"], number>>;
}

/** In characters; no name is longer. */
const maxTextLength = 200;

/** Normalises the text of a search for comparison and display. */
export const normalizeQuery = (text: string): string => cleanLine(text, maxTextLength);

/** The search of exactly these words; a text of the full length loses its end, so that both quotation marks remain. */
export const quoteQuery = (text: string): string => `"${cleanLine(text, maxTextLength - 2)}"`;

/** The accepted values in their normalised form; a sector's value is its normalised label. */
const normalizedForms = new Map(legalForms.map((form) => [form, normalizeValue(form)]));
const sectorsByText = new Map<string, Sector["value"]>(sectors.map(({ value, label }) => [normalizeValue(label), value]));

/** Parses a search from a URL's query. Unknown values are ignored. */
export function parseCompanySearch(params: URLSearchParams): CompanySearch {
	const formValues = new Set(
		params
			.getAll("forme")
			.flatMap((value) => value.split(","))
			.map(normalizeValue),
	);
	const departement = params.get("departement")?.trim().toUpperCase() ?? "";
	const secteur = normalizeValue(params.get("secteur") ?? "");
	const page = Number(params.get("page"));
	return {
		query: normalizeQuery(params.get("q") ?? ""),
		departement: departments.has(departement) ? departement : null,
		formes: legalForms.filter((form) => formValues.has(normalizedForms.get(form) ?? "")),
		secteur: sectorsByText.get(secteur) ?? null,
		page: Number.isSafeInteger(page) && page > 1 ? page : 1,
	};
}

/** Formats a search as a URL's query; page 1 is omitted. */
export function formatCompanySearch({ query, departement, formes, secteur, page }: CompanySearch): URLSearchParams {
	const params = new URLSearchParams({ q: query });
	if (departement) params.set("departement", departement);
	for (const form of formes) params.append("forme", form);
	if (secteur) params.set("secteur", secteur);
	if (page > 1) params.set("page", String(page));
	return params;
}

/** Removes case, accents and punctuation for comparison. */
function normalizeValue(text: string): string {
	return tokenize(text.slice(0, maxTextLength)).join("-");
}
