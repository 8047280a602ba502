import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { href } from "react-router";
import { tolerateForeignChanges } from "../../ui/foreign-changes.ts";
import { KeepTyped } from "../../ui/keep-typed.tsx";
import { useDrawnHere } from "../../ui/use-hydrated.ts";
import type { CompanySearch } from "./company-search.ts";
import { formatCompanySearch } from "./company-search.ts";
import { FrontSearch } from "./front-search.tsx";
import { SearchForm } from "./search-form.tsx";
import { formatSearchHeading, isSearchPage, readSearchState, resultRegions } from "./search-regions.ts";

/**
 * Starts the search form in the browser: suggestions, and on the page of results results that change without a reload.
 * @param container the element that holds the server’s form.
 */
export function startSearch(container: HTMLElement): void {
	tolerateForeignChanges();
	if (isSearchPage(document)) startResults(container);
	else hydrateRoot(container, <Kept form={<FrontSearch onChoose={openCompany} />} />);
}

/** The results are those of the server’s page, so that they have one source. */
function startResults(container: HTMLElement): void {
	const root = hydrateRoot(container, createForm(document));
	let shownUrl = location.href;
	let request = new AbortController();

	function createForm(page: Document) {
		return <Kept form={<SearchForm {...readSearchState(page)} onSearch={search} onChoose={openCompany} />} />;
	}

	function search(wanted: CompanySearch) {
		const url = new URL(`${href("/recherche")}?${formatCompanySearch(wanted)}`, location.href).href;
		history.pushState(null, "", url);
		show(url, wanted.query.trim());
	}

	/** Shows the results of a URL. @param query the text of the heading while they load. */
	async function show(url: string, query: string) {
		shownUrl = url;
		request.abort();
		request = new AbortController();
		const { signal } = request;
		showLoading(query);
		const page = await fetchPage(url, signal);
		if (signal.aborted) return;
		// the browser shows the error in our place
		if (page === null) return location.assign(url);
		document.title = page.title;
		for (const id of resultRegions) replaceContent(id, page.getElementById(id));
		// a click that follows must find the form of these results
		flushSync(() => root.render(createForm(page)));
	}

	// « back » and « forward »; a skip link changes the fragment only
	addEventListener("popstate", () => {
		const { searchParams, href: url } = new URL(location.href);
		if (url.split("#")[0] !== shownUrl.split("#")[0]) show(url, searchParams.get("q")?.trim() ?? "");
	});
}

/** A form that others had changed is drawn anew, with what it held. */
function Kept({ form }: { form: ReactNode }) {
	const isDrawnAnew = useDrawnHere();
	return (
		<>
			<KeepTyped isFromServer={isDrawnAnew} silently />
			{form}
		</>
	);
}

const openCompany = (siren: string) => location.assign(href("/entreprise/:siren", { siren }));

/** Fetches a page of results; null when there is none, or when the request is aborted. */
async function fetchPage(url: string, signal: AbortSignal): Promise<Document | null> {
	try {
		const response = await fetch(url, { signal, headers: { accept: "text/html" } });
		const page = new DOMParser().parseFromString(await response.text(), "text/html");
		return response.ok && isSearchPage(page) ? page : null;
	} catch {
		return null;
	}
}

function showLoading(query: string): void {
	const [heading, total, results] = resultRegions.map((id) => document.getElementById(id));
	const template = document.querySelector<HTMLTemplateElement>("template#recherche-en-cours");
	if (heading) heading.textContent = formatSearchHeading(query);
	if (total) total.textContent = "Recherche en cours...";
	if (results && template) results.replaceChildren(template.content.cloneNode(true));
}

function replaceContent(id: string, source: Element | null): void {
	document.getElementById(id)?.replaceChildren(...(source?.childNodes ?? []));
}
