import { type CompanyPreview, formatHeadOffice } from "../companies/company.ts";
import { CompanyNoticeList } from "../companies/company-notice-list.tsx";
import { suggestInBrowser, suggestionsFrom } from "../companies/search/suggest-in-browser.tsx";
import { button } from "../ui/button.tsx";
import { ChoiceCard } from "../ui/card.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Siren } from "../ui/siren.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";

interface CompanyPickerProps {
	/** A company without an extract is shown with its notice and cannot be ordered. */
	chosen: CompanyPreview | null;
	/** The company is in the page's URL and cannot be changed. */
	fixed: boolean;
	error: string | undefined;
	/** Without JavaScript: the search text and the companies found. */
	found: { text: string; companies: CompanyPreview[] } | null;
	onPick: (company: CompanyPreview | null) => void;
}

/** Chooses the company of the extract, unless it is fixed. Submits its SIREN in a hidden field. */
export function CompanyPicker({ chosen, fixed, error, found, onPick }: CompanyPickerProps) {
	const picked = chosen?.eligibility === "none" ? null : chosen;
	return (
		<>
			{picked ? (
				<ChosenCompany company={picked} fixed={fixed} onChange={() => onPick(null)} />
			) : (
				<CompanySearch error={error} found={found} onPick={onPick} />
			)}
			{/* always in the page, so that a screen reader announces a choice */}
			<div role="status" className="grid gap-4 not-empty:mt-4">
				{chosen && !picked && <NameAndSiren company={chosen} />}
				{chosen && <CompanyNoticeList notices={chosen.notices} />}
			</div>
		</>
	);
}

function NameAndSiren({ company: { name, siren } }: { company: CompanyPreview }) {
	return (
		<p>
			<strong>{name}</strong> (<Siren value={siren} />)
		</p>
	);
}

function ChosenCompany({ company, fixed, onChange }: { company: CompanyPreview; fixed: boolean; onChange: () => void }) {
	const hydrated = useHydrated();
	return (
		<div className="flex flex-wrap items-center justify-between gap-x-6 rounded-md border border-line bg-sheet px-4 py-3">
			<input type="hidden" name="siren" value={company.siren} />
			<div>
				<NameAndSiren company={company} />
				<p className="text-sm text-soft">{formatHeadOffice(company)}</p>
			</div>
			{!fixed && (
				<button
					name="intent"
					value="change-company"
					formNoValidate
					type={hydrated ? "button" : "submit"}
					className={button("quiet")}
					onClick={onChange}
				>
					Modifier l'entreprise
				</button>
			)}
		</div>
	);
}

function CompanySearch({ error, found, onPick }: Pick<CompanyPickerProps, "error" | "found" | "onPick">) {
	const hydrated = useHydrated();
	const field = {
		name: "companyQuery",
		id: "siren",
		label: "SIREN, SIRET ou nom d'entreprise",
		hint: "Par exemple : 552 032 534 ou Danone",
		error,
		defaultValue: found?.text,
	};
	if (hydrated && !found)
		return <Combobox {...field} minLength={suggestionsFrom} search={suggestInBrowser} onChoose={({ company }) => onPick(company)} />;
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
					{found.companies.map((company) => (
						<CompanyResult key={company.siren} company={company} onPick={() => onPick(company)} />
					))}
				</fieldset>
			)}
		</>
	);
}

/** A search result. A company without an extract has no button. */
function CompanyResult({ company, onPick }: { company: CompanyPreview; onPick: () => void }) {
	const { siren, name, notices } = company;
	return (
		<div className="grid gap-2">
			{company.eligibility === "none" ? (
				<NameAndSiren company={company} />
			) : (
				<ChoiceCard name="siren" value={siren} title={name} onChange={onPick}>
					<span>
						<Siren value={siren} /> {formatHeadOffice(company)}
					</span>
				</ChoiceCard>
			)}
			<CompanyNoticeList notices={notices} />
		</div>
	);
}
