import { useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type CompanySearch, type FilterCounts, formatCompanySearch, normalizeQuery, parseCompanySearch } from "./company-search.ts";
import { SearchFilters } from "./search-filters.tsx";
import { suggestInBrowser, suggestionsFrom } from "./suggest-in-browser.tsx";

interface FormState {
	/** The search in the page's URL. */
	search: CompanySearch;
	/** The values of the controls. */
	values: CompanySearch;
	/** The query of a submitted search without a result yet. */
	pendingQuery: string | null;
}

/**
 * The state of the search form. The controls follow the search of the URL, also after « back ».
 * @param onSearch called with each submitted search.
 */
function useSearchForm(search: CompanySearch, onSearch: (search: CompanySearch) => void) {
	const form = useRef<HTMLFormElement>(null);
	const [state, setState] = useState<FormState>({ search, values: search, pendingQuery: null });
	if (state.search !== search) {
		// keeps text that was typed before the result arrived
		const { query } = search.query === state.pendingQuery ? state.values : search;
		setState({ search, values: { ...search, query }, pendingQuery: null });
	}
	const send = (values: CompanySearch) => {
		setState({ search, values, pendingQuery: normalizeQuery(values.query) });
		onSearch(values);
	};
	const sendInitialChange = useEffectEvent(() => {
		// the form may have been filled in before this code was loaded: a changed filter applies now
		if (!form.current) return;
		const values = { ...readForm(form.current), page: 1 };
		if (haveEqualFilters(values, search)) setState((current) => ({ ...current, values }));
		else send(values);
	});
	useLayoutEffect(() => sendInitialChange(), []);
	return {
		form,
		values: state.values,
		setQuery(query: string) {
			setState((current) => ({ ...current, values: { ...current.values, query } }));
		},
		/** Submits the values of the form with these changes, from page 1. */
		submit(changes: Partial<CompanySearch> = {}) {
			send({ ...state.values, ...changes, page: 1 });
		},
	};
}

/** Whether two searches differ in their query at most. */
function haveEqualFilters(one: CompanySearch, other: CompanySearch): boolean {
	const format = (search: CompanySearch) => formatCompanySearch({ ...search, query: "", page: 1 }).toString();
	return format(one) === format(other);
}

function readForm(form: HTMLFormElement): CompanySearch {
	return parseCompanySearch(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])));
}

const formId = "recherche";

interface SearchFormProps {
	search: CompanySearch;
	/** The number of results of each filter value; null to show none. */
	counts: FilterCounts | null;
	/** Called in the browser with each submitted search. */
	onSearch?: (search: CompanySearch) => void;
	/** Called in the browser with the SIREN of a chosen suggestion. */
	onChoose?: (siren: string) => void;
}

/** The search field and filters. Their values are in the URL. Filters apply immediately; without JavaScript, by « Filtrer ». */
export function SearchForm({ search, counts, onSearch = () => {}, onChoose = () => {} }: SearchFormProps) {
	const { form, values, setQuery, submit } = useSearchForm(search, onSearch);
	return (
		<search className="contents">
			<form
				ref={form}
				id={formId}
				action={href("/recherche")}
				className="flex items-end gap-3 lg:col-span-2"
				onSubmit={(event) => {
					event.preventDefault();
					submit();
				}}
			>
				<Combobox
					name="q"
					type="search"
					label="SIREN, SIRET ou nom d'entreprise"
					value={values.query}
					onChange={({ currentTarget }) => setQuery(currentTarget.value)}
					minLength={suggestionsFrom}
					search={suggestInBrowser}
					onChoose={({ id }) => onChoose(id)}
					enterKeyHint="search"
					className="min-w-0 flex-1"
				/>
				<button type="submit" className={button("primary", "max-sm:px-3")}>
					<Icon name="search" />
					<span className="max-sm:sr-only">Rechercher</span>
				</button>
			</form>
			<SearchFilters formId={formId} values={values} counts={counts} onChange={submit} />
		</search>
	);
}
