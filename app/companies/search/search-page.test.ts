import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, MemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { Pagination, SearchPage } from "./search-page.tsx";
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

test("each part that changes with the results can be found, and the form and its state beside them", () => {
	const page = createElement(SearchPage, {
		search: { query: "danone", departement: null, formes: [], secteur: null, page: 1 },
		result: { query: "danone", corrected: null, dropped: null, page: 1, perPage: 9, total: 0, totalIsCapped: false, results: [] },
		counts: null,
		companies: 1,
	});
	const router = createMemoryRouter([{ path: "/", element: page }]);
	const html = renderToStaticMarkup(createElement(RouterProvider, { router }));
	const tags = [...html.matchAll(/<(\w+)[^>]* id="([^"]+)"/g)].map(([, tag, id]) => [id, tag]);
	expect(Object.fromEntries(tags)).toMatchObject({ [searchFormId]: "div", [searchStateId]: "script" });
	expect(resultRegions.map((id) => Object.fromEntries(tags)[id])).toEqual(["h1", "p", "div"]);
});
