import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, MemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import type { CompanySearch, SearchResult } from "./company-search.ts";
import { describeResult, Pagination, SearchPage } from "./search-page.tsx";
import { resultRegions, searchFormId, searchStateId } from "./search-regions.ts";

/** Renders the pagination as text with link targets, and the current page in brackets. */
function renderText(page: number, pages: number): string {
	const list = createElement(Pagination, { page, pages, url: (number) => `/p${number}` });
	return renderToStaticMarkup(createElement(MemoryRouter, null, list))
		.replace(/<span aria-current="page"[^>]*>.*?(\d+)<\/span>/g, "[$1]")
		.replace(/<a [^>]*href="\/p(\d+)"[^>]*>(.*?)<\/a>/g, (_, number, text) => `${text.replace(/<span.*?<\/span>/g, "")}>${number}`)
		.replace(/<\/li>/g, " ")
		.replace(/<[^>]+>/g, "")
		.trim();
}

test.each([
	[1, 1, ""],
	[1, 0, ""],
	[1, 2, "[1] 2>2 Suivant>2"],
	[2, 2, "Précédent>1 1>1 [2]"],
	[5, 9, "Précédent>4 1>1 … 3>3 4>4 [5] 6>6 7>7 … 9>9 Suivant>6"],
	[4, 7, "Précédent>3 1>1 2>2 3>3 [4] 5>5 6>6 7>7 Suivant>5"],
	[1, 112, "[1] 2>2 3>3 … 112>112 Suivant>2"],
	[112, 112, "Précédent>111 1>1 … 110>110 111>111 [112]"],
])("page %s of %s: « %s »", (page, pages, expected) => {
	expect(renderText(page, pages)).toBe(expected);
});

const createResult = (query: string, result: Partial<SearchResult>): SearchResult => ({
	query,
	corrected: null,
	dropped: null,
	withoutDocument: null,
	searched: query,
	withoutFilters: null,
	page: 1,
	perPage: 9,
	total: 0,
	totalIsCapped: false,
	results: [],
	...result,
});

function renderPage(query: string, result: Partial<SearchResult> = {}, filters: Partial<CompanySearch> = {}): string {
	const page = createElement(SearchPage, {
		search: { query, departement: null, formes: [], secteur: null, page: 1, ...filters },
		result: createResult(query, result),
		counts: null,
		companies: 1,
	});
	const router = createMemoryRouter([{ path: "/", element: page }]);
	return renderToStaticMarkup(createElement(RouterProvider, { router }));
}

test("each part that changes with the results can be found, and the form and its state beside them", () => {
	const html = renderPage("danone");
	const tags = [...html.matchAll(/<(\w+)[^>]* id="([^"]+)"/g)].map(([, tag, id]) => [id, tag]);
	expect(Object.fromEntries(tags)).toMatchObject({ [searchFormId]: "div", [searchStateId]: "script" });
	expect(resultRegions.map((id) => Object.fromEntries(tags)[id])).toEqual(["h1", "p", "div"]);
});

test.each([
	["auto-entrepreneur", true],
	["Micro entreprise", true],
	["extrait KBIS", true],
	["micro du gravier", false],
	["solon entrepreneur office", false],
	["kbis gratuit en ligne", true],
	["entrepreneur", false],
	["artisan", false],
	["danone", false],
	["", false],
])("whether « %s » names a kind of business in place of a company: %s", (query, isKind) => {
	expect(renderPage(query).includes("Cherchez une entreprise par son nom ou son SIREN")).toBe(isKind);
});

test.each([0, 2])("with %i results, a sole trader’s Kbis is spoken of first, then the words that were searched, then results", (total) => {
	const html = renderPage("kbis auto-entrepreneur martin", { withoutDocument: "martin", total });
	const places = [
		"Un auto-entrepreneur n’a pas de Kbis",
		'href="/ai-je-besoin-d-un-kbis"',
		"Recherche de",
		total ? "grid-cols-2" : "Vérifiez l’orthographe",
	];
	const found = places.map((text) => html.indexOf(text, html.indexOf(resultRegions[2])));
	expect(Math.min(...found)).toBeGreaterThan(0);
	expect(found).toEqual(found.toSorted((a, b) => a - b));
});

const exactLink = (query: string) => `href="/recherche?${new URLSearchParams({ q: `"${query}"` })}"`;

test.each([0, 2])("with %i results, words for the document that were not searched are named, with a link to the exact words", (total) => {
	const html = renderPage("extrait kbis danone", { withoutDocument: "danone", total });
	expect(html.replace(/<[^>]+>/g, "").replaceAll("\u00a0", " ")).toContain(
		"Recherche de « danone » sans « extrait kbis ». Chercher les mots exacts",
	);
	expect(html).toContain(exactLink("extrait kbis danone"));
});

test.each([
	["kbis", true],
	["extrait k-bis", true],
	['"kbis"', false],
	["kbis gratuit", true],
	["auto-entrepreneur", true],
	["danone", false],
])("whether « %s » alone offers the exact words: %s", (query, offers) => {
	expect(renderPage(query).includes("Chercher les mots exacts")).toBe(offers);
});

test.each([
	[{ corrected: "danone", total: 1 }, "Aucune entreprise ne porte ce nom. 1 résultat pour « danone »"],
	[{ dropped: "danone", total: 2 }, "Aucune entreprise ne correspond à tous les mots. 2 résultats pour « danone »"],
])("what is shown in place of a query without results: %j", (result, sentence) => {
	expect(
		renderPage("danonne x", result)
			.replace(/<[^>]+>/g, "")
			.replaceAll("\u00a0", " "),
	).toContain(sentence);
});

test.each([
	[null, ["Nouvelle recherche", "Retirer les filtres"], "Vérifiez l’orthographe."],
	[{ total: 162, totalIsCapped: false }, ["Retirer les filtres (162 résultats)", "Nouvelle recherche"], "Aucun résultat avec ces filtres."],
	[{ total: 1, totalIsCapped: false }, ["Retirer les filtres (1 résultat)", "Nouvelle recherche"], "Aucun résultat avec ces filtres."],
	[
		{ total: 1000, totalIsCapped: true },
		["Retirer les filtres (plus de 1 000 résultats)", "Nouvelle recherche"],
		"Aucun résultat avec ces filtres.",
	],
])("what an empty page with filters offers, with %j without them", (withoutFilters, links, advice) => {
	const html = renderPage("martin", { withoutFilters }, { formes: ["SNC"] });
	const text = (part: string) => part.replace(/<[^>]+>/g, "").replace(/[\u00a0\u202f]/g, " ");
	const notice = html.slice(html.indexOf("Aucune entreprise trouvée pour votre recherche"), html.indexOf("<template"));
	expect([...notice.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, link = ""]) => text(link))).toEqual(links);
	expect(text(notice)).toContain(advice);
	expect(notice.includes("orthographe")).toBe(withoutFilters === null);
	expect(notice).toContain('href="/recherche?q=martin"');
});

test.each([
	[0, "0 entreprise trouvée pour « danone ». Cherchez par nom, SIREN ou SIRET."],
	[1, "1 entreprise trouvée pour « danone ». Consultez sa fiche et commandez son extrait Kbis."],
	[2, "2 entreprises trouvées pour « danone ». Consultez leur fiche et commandez leur extrait Kbis."],
])("the description of %i results agrees with their number, and names the words that were searched", (total, sentences) => {
	const description = describeResult(createResult("dannone", { searched: "danone", total }));
	expect(description.replaceAll("\u00a0", " ")).toBe(`${sentences} Service privé et indépendant.`);
});
