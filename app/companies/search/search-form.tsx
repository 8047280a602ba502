import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { CompanySearch, FilterCounts } from "./company-search.ts";
import { SearchFilters } from "./search-filters.tsx";
import { suggestInBrowser, suggestionsFrom } from "./suggest-in-browser.tsx";
import { useSearchForm } from "./use-search-form.ts";

const formId = "recherche";

export interface SearchFormProps {
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
