import { useLayoutEffect, useRef, useState } from "react";
import { href, useNavigate } from "react-router";
import { button } from "../ui/button.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { type CompanySearch, companySearchParams, parseCompanySearch } from "./company-search.ts";
import { departments } from "./departments.ts";
import { legalForms } from "./legal-forms.ts";
import { sectors } from "./sectors.ts";

/** Departments that stand first in the list. */
const firstDepartments = ["75", "92", "93", "94"];
const departmentCodes = [...firstDepartments, ...[...departments.keys()].filter((code) => !firstDepartments.includes(code))];

const formId = "recherche";

/** The field and the filters of a search, all in the page's address. A filter acts at once; without JavaScript « Filtrer » does. */
export function SearchForm({ search }: { search: CompanySearch }) {
	const navigate = useNavigate();
	// what the controls show follows the address, also on the way back
	const [shown, setShown] = useState({ search, values: search });
	if (shown.search !== search) setShown({ search, values: search });
	const { query, departement, formes, secteur } = shown.values;
	const show = (changes: Partial<CompanySearch>) => {
		const values = { ...shown.values, ...changes, page: 1 };
		setShown({ search, values });
		return values;
	};
	const form = useRef<HTMLFormElement>(null);
	useLayoutEffect(() => {
		// it may have been filled in before the page's JavaScript came
		const filledIn = form.current && readForm(form.current);
		if (filledIn) setShown((now) => ({ ...now, values: filledIn }));
	}, []);
	const apply = (changes: Partial<CompanySearch>) =>
		navigate(`${href("/recherche")}?${companySearchParams(show(changes))}`, { preventScrollReset: true });

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
				<TextField
					name="q"
					type="search"
					label="SIREN, SIRET ou nom d'entreprise"
					value={query}
					onChange={({ currentTarget }) => show({ query: currentTarget.value })}
					autoComplete="off"
					enterKeyHint="search"
					className="min-w-0 flex-1 basis-64"
				/>
				<button type="submit" className={button("primary")}>
					<Icon name="search" />
					Rechercher
				</button>
			</form>
			<section aria-label="Filtres" className="mt-6 grid gap-x-6 gap-y-4 border-y border-line py-5 md:grid-cols-2">
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
							{`${code} - ${departments.get(code)}`}
						</option>
					))}
				</SelectField>
				<SelectField
					name="secteur"
					form={formId}
					label="Secteur"
					value={secteur ?? ""}
					onChange={({ currentTarget }) => apply({ secteur: sectors.find(({ value }) => value === currentTarget.value)?.value ?? null })}
				>
					<option value="">Tous les secteurs</option>
					{sectors.map(({ value, label }) => (
						<option key={value} value={value}>
							{label}
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
								label={form}
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
			</section>
		</search>
	);
}

function readForm(form: HTMLFormElement): CompanySearch {
	return parseCompanySearch(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])));
}
