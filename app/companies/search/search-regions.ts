import type { CompanySearch, FilterCounts } from "./company-search.ts";

/** The elements of the search page that change with the results: heading, number of results, cards. */
export const resultRegions = ["recherche-titre", "recherche-total", "recherche-resultats"] as const;

/** The element that holds the form, and the data block with its state. */
export const searchFormId = "recherche-entreprise";
export const searchStateId = "recherche-etat";

/** The state of the form, as the server rendered it. */
export interface SearchState {
	search: CompanySearch;
	counts: FilterCounts | null;
}

/** Formats the state for a data block, in which `<` could end the block. */
export const formatSearchState = (state: SearchState): string => JSON.stringify(state).replaceAll("<", "\\u003c");

/** Whether a page is the search page, and not the answer of something between the shop and the browser. */
export const isSearchPage = (page: Document): boolean => page.getElementById(searchStateId) !== null;

/** Reads the state from the data block of a page of results. */
export function readSearchState(page: Document): SearchState {
	return JSON.parse(page.getElementById(searchStateId)?.textContent ?? "");
}

/** An agreed text (docs/rules.md, R52). */
export const formatSearchHeading = (query: string): string =>
	query ? `Résultats pour «\u00a0${query}\u00a0»` : "Rechercher une entreprise";
