import { useLayoutEffect, useRef, useState } from "react";
import { href, useNavigate } from "react-router";
import { type CompanySearch, formatCompanySearch, normalizeQuery, parseCompanySearch } from "./company-search.ts";

interface FormState {
	/** The search in the page's URL. */
	search: CompanySearch;
	/** The values of the controls. */
	values: CompanySearch;
	/** The query of a submitted search without a result yet. */
	pendingQuery: string | null;
}

/** The state of the search form. The controls follow the URL, also after « back ». */
export function useSearchForm(search: CompanySearch) {
	const navigate = useNavigate();
	const form = useRef<HTMLFormElement>(null);
	const [state, setState] = useState<FormState>({ search, values: search, pendingQuery: null });
	if (state.search !== search) {
		// keeps text that was typed before the result arrived
		const { query } = search.query === state.pendingQuery ? state.values : search;
		setState({ search, values: { ...search, query }, pendingQuery: null });
	}
	useLayoutEffect(() => {
		// the form may have been filled in before JavaScript was loaded
		const values = form.current && readForm(form.current);
		if (values) setState((current) => ({ ...current, values }));
	}, []);
	return {
		form,
		values: state.values,
		setQuery(query: string) {
			setState((current) => ({ ...current, values: { ...current.values, query } }));
		},
		/** Submits the values of the form with these changes, from page 1. */
		submit(changes: Partial<CompanySearch> = {}) {
			const values = { ...state.values, ...changes, page: 1 };
			setState({ search, values, pendingQuery: normalizeQuery(values.query) });
			navigate(`${href("/recherche")}?${formatCompanySearch(values)}`, { preventScrollReset: true });
		},
	};
}

function readForm(form: HTMLFormElement): CompanySearch {
	return parseCompanySearch(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])));
}
