import { useLayoutEffect, useRef, useState } from "react";
import { href, useNavigate } from "react-router";
import { button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { CheckboxField, SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { departments } from "../departments.ts";
import { type LegalForm, legalForms } from "../legal-forms.ts";
import { sectorHint, sectors } from "../sectors.ts";
import { type CompanySearch, cleanText, companySearchParams, type FilterCounts, parseCompanySearch } from "./company-search.ts";
import { suggestInBrowser, suggestionsFrom } from "./suggest-in-browser.tsx";

/** Departments that stand first in the list. */
const firstDepartments = ["75", "92", "93", "94"];
const departmentCodes = [...firstDepartments, ...[...departments.keys()].filter((code) => !firstDepartments.includes(code))];

const formId = "recherche";

interface Shown {
	/** That of the address. */
	search: CompanySearch;
	/** What the controls hold. */
	values: CompanySearch;
	/** The query whose results are on their way. */
	awaited: string | null;
}

/**
 * The field and the filters of a search, all in the page's address. A filter acts at once; without JavaScript « Filtrer » does.
 * @param counts stand beside each filter's values; null: none are shown.
 */
export function SearchForm({ search, counts }: { search: CompanySearch; counts: FilterCounts | null }) {
	const navigate = useNavigate();
	// what the controls show follows the address, also on the way back; but what is typed while an answer is awaited stays
	const [shown, setShown] = useState<Shown>({ search, values: search, awaited: null });
	if (shown.search !== search) {
		const { query } = search.query === shown.awaited ? shown.values : search;
		setShown({ search, values: { ...search, query }, awaited: null });
	}
	const { query, departement, formes, secteur } = shown.values;
	const active = formes.length + (departement ? 1 : 0) + (secteur ? 1 : 0);
	const form = useRef<HTMLFormElement>(null);
	useLayoutEffect(() => {
		// it may have been filled in before the page's JavaScript came
		const filledIn = form.current && readForm(form.current);
		if (filledIn) setShown((now) => ({ ...now, values: filledIn }));
	}, []);
	const apply = (changes: Partial<CompanySearch>) => {
		const values = { ...shown.values, ...changes, page: 1 };
		setShown({ search, values, awaited: cleanText(values.query) });
		navigate(`${href("/recherche")}?${companySearchParams(values)}`, { preventScrollReset: true });
	};

	return (
		<search>
			<form
				ref={form}
				id={formId}
				action={href("/recherche")}
				className="flex flex-wrap items-end gap-3"
				onSubmit={(event) => {
					event.preventDefault();
					apply({});
				}}
			>
				<Combobox
					name="q"
					type="search"
					label="SIREN, SIRET ou nom d'entreprise"
					value={query}
					onChange={({ currentTarget: { value } }) => setShown((now) => ({ ...now, values: { ...now.values, query: value } }))}
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
			<section aria-label="Filtres" className="mt-6 border-y border-line">
				{/* folded on narrow screens, where the results come first; open on wide ones */}
				<details className="group md:details-content:[content-visibility:visible]">
					<summary className="flex min-h-12 items-center justify-between gap-4 font-semibold md:supports-[selector(::details-content)]:hidden">
						Filtres{active > 0 && ` · ${active} ${active > 1 ? "actifs" : "actif"}`}
						<Icon name="chevron" className="size-4 group-open:rotate-180" />
					</summary>
					<div className="grid gap-x-6 gap-y-4 pt-2 pb-5 md:grid-cols-2 md:items-end md:pt-5">
						<SelectField
							name="departement"
							form={formId}
							label="Département"
							value={departement ?? ""}
							onChange={({ currentTarget }) => apply({ departement: currentTarget.value || null })}
						>
							<option value="">Tous les départements</option>
							{departmentCodes.map((code) => (
								<option key={code} value={code}>
									{`${code} - ${departments.get(code)}${inBrackets(counts?.departement[code])}`}
								</option>
							))}
						</SelectField>
						<SelectField
							name="secteur"
							form={formId}
							label="Secteur"
							hint={sectorHint}
							value={secteur ?? ""}
							onChange={({ currentTarget }) =>
								apply({ secteur: sectors.find(({ value }) => value === currentTarget.value)?.value ?? null })
							}
						>
							<option value="">Tous les secteurs</option>
							{sectors.map(({ value, label }) => (
								<option key={value} value={value}>
									{`${label}${inBrackets(counts?.secteur[value])}`}
								</option>
							))}
						</SelectField>
						<fieldset className="md:col-span-2">
							<legend className="font-semibold">Forme juridique</legend>
							<div className="grid grid-cols-2 gap-x-6 sm:grid-cols-3 md:flex md:flex-wrap">
								{legalForms.map((form) => (
									<CheckboxField
										key={form}
										name="forme"
										id={`forme-${form}`}
										form={formId}
										value={form}
										{...labelled(form, counts && (counts.forme[form] ?? 0))}
										checked={formes.includes(form)}
										onChange={({ currentTarget: { checked } }) =>
											apply({ formes: legalForms.filter((other) => (other === form ? checked : formes.includes(other))) })
										}
									/>
								))}
							</div>
						</fieldset>
						<noscript>
							<button type="submit" form={formId} className={button("secondary")}>
								Filtrer
							</button>
						</noscript>
					</div>
				</details>
			</section>
		</search>
	);
}

const number = new Intl.NumberFormat("fr-FR");

/** After an option's text. */
function inBrackets(count: number | undefined): string {
	return count ? ` (${number.format(count)})` : "";
}

/** A box keeps its name, whatever is found: the figure is for the eye, the same in words describes the box. */
function labelled(form: LegalForm, count: number | null) {
	if (count === null) return { label: form };
	const figure = number.format(count);
	return {
		label: (
			<>
				{form}{" "}
				<span aria-hidden="true" className="figures text-sm text-soft">
					({figure})
				</span>
			</>
		),
		"aria-description": `${figure} ${count > 1 ? "entreprises" : "entreprise"}`,
	};
}

function readForm(form: HTMLFormElement): CompanySearch {
	return parseCompanySearch(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])));
}
