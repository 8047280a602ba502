import { button } from "../../ui/button.tsx";
import { CheckboxField, SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { departments } from "../departments.ts";
import { legalForms } from "../legal-forms.ts";
import { sectors } from "../sectors.ts";
import type { CompanySearch, FilterCounts } from "./company-search.ts";

/** Departments at the top of the list. */
const firstDepartments = ["75", "92", "93", "94"];
const departmentCodes = [...firstDepartments, ...[...departments.keys()].filter((code) => !firstDepartments.includes(code))];

interface SearchFiltersProps {
	/** The id of the form. */
	formId: string;
	values: CompanySearch;
	counts: FilterCounts | null;
	onChange: (changes: Partial<CompanySearch>) => void;
}

export function SearchFilters({ formId, values: { departement, formes, secteur }, counts, onChange }: SearchFiltersProps) {
	const active = formes.length + (departement ? 1 : 0) + (secteur ? 1 : 0);
	return (
		<section aria-label="Filtres" className="mt-4 border-y border-line lg:mt-6 lg:border-b-0">
			{/* folded on narrow screens, where the results come first; open on wide ones */}
			<details className="group md:details-content:[content-visibility:visible]">
				<summary className="flex min-h-11 items-center justify-between gap-4 font-semibold md:supports-[selector(::details-content)]:hidden">
					Filtres{active > 0 && ` · ${active} ${active > 1 ? "actifs" : "actif"}`}
					<Icon name="chevron" className="size-4 group-open:rotate-180" />
				</summary>
				<div className="grid gap-x-6 gap-y-4 pt-2 pb-5 md:grid-cols-2 md:items-end md:pt-5 lg:grid-cols-1">
					<SelectField
						name="departement"
						form={formId}
						label="Département"
						value={departement ?? ""}
						onChange={({ currentTarget }) => onChange({ departement: currentTarget.value || null })}
					>
						<option value="">Tous les départements</option>
						{departmentCodes.map((code) => (
							<option key={code} value={code}>
								{`${code} - ${departments.get(code)}${formatOptionCount(counts?.departement[code])}`}
							</option>
						))}
					</SelectField>
					<SelectField
						name="secteur"
						form={formId}
						label="Secteur"
						value={secteur ?? ""}
						onChange={({ currentTarget }) =>
							onChange({ secteur: sectors.find(({ value }) => value === currentTarget.value)?.value ?? null })
						}
					>
						<option value="">Tous les secteurs</option>
						{sectors.map(({ value, label, more }) => (
							<option key={value} value={value}>
								{`${label}${more}${formatOptionCount(counts?.secteur[value])}`}
							</option>
						))}
					</SelectField>
					<LegalFormFilter formId={formId} checked={formes} counts={counts?.forme} onChange={(formes) => onChange({ formes })} />
					<noscript>
						<button type="submit" form={formId} className={button("secondary")}>
							Filtrer
						</button>
					</noscript>
				</div>
			</details>
		</section>
	);
}

interface LegalFormFilterProps {
	formId: string;
	checked: CompanySearch["formes"];
	counts: FilterCounts["forme"] | undefined;
	onChange: (formes: CompanySearch["formes"]) => void;
}

function LegalFormFilter({ formId, checked, counts, onChange }: LegalFormFilterProps) {
	return (
		<fieldset aria-describedby="forme-hint" className="md:col-span-2 lg:col-span-1">
			<legend className="font-semibold">Forme juridique</legend>
			<div className="grid grid-cols-2 gap-x-6 sm:grid-cols-3 md:flex md:flex-wrap lg:grid lg:grid-cols-1">
				{legalForms.map((form) => (
					<CheckboxField
						key={form}
						name="forme"
						id={`forme-${form}`}
						form={formId}
						value={form}
						{...labelWithCount(form, counts && (counts[form] ?? 0))}
						checked={checked.includes(form)}
						onChange={({ currentTarget }) =>
							onChange(legalForms.filter((other) => (other === form ? currentTarget.checked : checked.includes(other))))
						}
					/>
				))}
			</div>
			{/* INSEE has one code for both (legal-forms.ts) */}
			<p id="forme-hint" className="mt-1 text-sm text-soft">
				Quand le registre ne distingue pas une SAS d’une SASU, ou une SARL d’une EURL, l’entreprise est comptée dans les deux.
			</p>
		</fieldset>
	);
}

const number = new Intl.NumberFormat("fr-FR");

function formatOptionCount(count: number | undefined): string {
	return count ? ` (${number.format(count)})` : "";
}

/** Shows a count beside the label. Screen readers get it as a description, so that the accessible name never changes. */
function labelWithCount(label: string, count: number | undefined) {
	if (count === undefined) return { label };
	const figure = number.format(count);
	return {
		label: (
			<>
				{label}{" "}
				<span aria-hidden="true" className="figures text-sm text-soft">
					({figure})
				</span>
			</>
		),
		"aria-description": `${figure} ${count > 1 ? "entreprises" : "entreprise"}`,
	};
}
