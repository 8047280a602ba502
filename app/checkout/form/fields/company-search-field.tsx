import { Fragment, type ReactNode } from "react";
import { type CompanyPreview, formatHeadOffice } from "../../../companies/company.ts";
import { suggestInBrowser, suggestionsFrom } from "../../../companies/search/suggest-in-browser.tsx";
import { button } from "../../../ui/button.tsx";
import { Combobox } from "../../../ui/combobox.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Siren } from "../../../ui/siren.tsx";
import type { CompanySearchResult } from "../form-buttons.server.ts";
import { useFormAction } from "./use-form-action.ts";

interface CompanySearchFieldProps {
	/** The id of the field; also its name, unless one is given. */
	id: string;
	name?: string;
	label: string;
	hint: string;
	error?: string | undefined;
	/** The id of the section to which the answer of the second button leads. */
	anchor: string;
	/** The value of the second button. */
	intent: string;
	found: CompanySearchResult | null;
	onPick: (company: CompanyPreview) => void;
	renderResult: (company: CompanyPreview) => ReactNode;
}

/** Searches for a company: with suggestions, or with a second button and a list of results, which needs no JavaScript. */
export function CompanySearchField({ id, name = id, anchor, intent, found, onPick, renderResult, ...texts }: CompanySearchFieldProps) {
	const formAction = useFormAction(anchor);
	return (
		<div>
			<search className="flex items-end gap-2">
				<Combobox
					{...texts}
					id={id}
					name={name}
					defaultValue={found?.text}
					minLength={suggestionsFrom}
					search={suggestInBrowser}
					onChoose={({ company }) => onPick(company)}
					className="min-w-0 flex-1"
				/>
				<button type="submit" name="intent" value={intent} formNoValidate formAction={formAction} className={button("secondary")}>
					Rechercher
				</button>
			</search>
			{found && found.companies.length === 0 && <Notice className="mt-4">Aucune entreprise trouvée pour votre recherche</Notice>}
			{found && found.companies.length > 0 && (
				<fieldset className="mt-4 grid gap-3">
					<legend className="mb-2 font-semibold">Choisissez l’entreprise</legend>
					{found.companies.map((company) => (
						<Fragment key={company.siren}>{renderResult(company)}</Fragment>
					))}
				</fieldset>
			)}
		</div>
	);
}

export function NameAndSiren({ company: { name, siren } }: { company: CompanyPreview }) {
	return (
		<span>
			<strong>{name}</strong> (<Siren value={siren} />)
		</span>
	);
}

/** A result that continues with the form when it is chosen. */
export function CompanyButton({ company, intent, anchor }: { company: CompanyPreview; intent: string; anchor: string }) {
	const formAction = useFormAction(anchor);
	return (
		<button
			type="submit"
			name="intent"
			value={intent}
			formNoValidate
			formAction={formAction}
			className={button("secondary", "flex-wrap justify-start gap-x-4 text-left")}
		>
			<NameAndSiren company={company} />
			<span className="text-sm font-normal text-soft">{formatHeadOffice(company)}</span>
		</button>
	);
}
