import type { Suggestion } from "../companies/company-search.ts";
import { suggestInBrowser, suggestionsFrom } from "../companies/suggest-in-browser.tsx";
import { button } from "../ui/button.tsx";
import { ChoiceCard } from "../ui/card.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Siren } from "../ui/siren.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";

export interface PickedCompany {
	siren: string;
	name: string;
}

interface CompanyPickerProps {
	picked: PickedCompany | null;
	/** Fixed: the page's address says which company. */
	fixed: boolean;
	error: string | undefined;
	/** Without JavaScript: what the second button found, and what was looked for. */
	found: { text: string; companies: Suggestion[] } | null;
	onPick: (company: PickedCompany | null) => void;
}

/** Which company the extract is of: fixed, or searched for. Its SIREN goes along as a hidden field. */
export function CompanyPicker({ picked, fixed, error, found, onPick }: CompanyPickerProps) {
	const hydrated = useHydrated();
	if (picked) {
		return (
			<div className="flex flex-wrap items-center justify-between gap-x-6 rounded-md border border-line bg-sheet px-4 py-3">
				<input type="hidden" name="siren" value={picked.siren} />
				<p>
					<strong>{picked.name}</strong> (<Siren value={picked.siren} />)
				</p>
				{!fixed && (
					<button
						name="intent"
						value="change-company"
						formNoValidate
						type={hydrated ? "button" : "submit"}
						className={button("quiet")}
						onClick={() => onPick(null)}
					>
						Modifier l'entreprise
					</button>
				)}
			</div>
		);
	}
	const field = {
		name: "companyQuery",
		id: "siren",
		label: "SIREN, SIRET ou nom d'entreprise",
		hint: "Par exemple : 552 032 534 ou Danone",
		error,
		defaultValue: found?.text,
	};
	if (hydrated && !found)
		return (
			<Combobox
				{...field}
				minLength={suggestionsFrom}
				search={suggestInBrowser}
				onChoose={({ id, label }) => onPick({ siren: id, name: label })}
			/>
		);
	return (
		<>
			<div className="flex flex-wrap items-end gap-3">
				<TextField {...field} className="min-w-0 flex-1 basis-60" />
				<button type="submit" name="intent" value="find-company" formNoValidate className={button("secondary")}>
					Rechercher
				</button>
			</div>
			{found && found.companies.length === 0 && <Notice className="mt-4">Aucune entreprise trouvée pour votre recherche</Notice>}
			{found && found.companies.length > 0 && (
				<fieldset className="mt-4 grid gap-3">
					<legend className="mb-2 font-semibold">Choisissez l’entreprise</legend>
					{found.companies.map(({ siren, name, city }) => (
						<ChoiceCard key={siren} name="siren" value={siren} title={name} onChange={() => onPick({ siren, name })}>
							<Siren value={siren} /> {city}
						</ChoiceCard>
					))}
				</fieldset>
			)}
		</>
	);
}
