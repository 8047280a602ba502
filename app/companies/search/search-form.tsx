import { href, useNavigate } from "react-router";
import { button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { CompanySearch, FilterCounts } from "./company-search.ts";
import { SearchFilters } from "./search-filters.tsx";
import { suggestInBrowser, suggestionsFrom } from "./suggest-in-browser.tsx";
import { useSearchForm } from "./use-search-form.ts";

const formId = "recherche";

/**
 * The search field and filters. Their values are in the URL. Filters apply immediately; without JavaScript, by « Filtrer ».
 * @param counts of each filter value; null to show none.
 */
export function SearchForm({ search, counts }: { search: CompanySearch; counts: FilterCounts | null }) {
	const navigate = useNavigate();
	const { form, values, setQuery, submit } = useSearchForm(search);
	return (
		<search>
			<form
				ref={form}
				id={formId}
				action={href("/recherche")}
				className="flex flex-wrap items-end gap-3"
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
					onChoose={({ id }) => navigate(href("/entreprise/:siren", { siren: id }))}
					enterKeyHint="search"
					className="min-w-0 flex-1 basis-64"
				/>
				<button type="submit" className={button("primary", "max-sm:w-full")}>
					<Icon name="search" />
					Rechercher
				</button>
			</form>
			<SearchFilters formId={formId} values={values} counts={counts} onChange={submit} />
		</search>
	);
}
