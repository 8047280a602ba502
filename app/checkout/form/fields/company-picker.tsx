import { type CompanyPreview, formatHeadOffice, getOrderable } from "../../../companies/company.ts";
import { CompanyNoticeList } from "../../../companies/company-notice-list.tsx";
import { button } from "../../../ui/button.tsx";
import { ChoiceCard } from "../../../ui/card.tsx";
import { Siren } from "../../../ui/siren.tsx";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import type { CompanySearchResult } from "../form-buttons.server.ts";
import { CompanySearchField, NameAndSiren } from "./company-search-field.tsx";
import { useFormAction } from "./use-form-action.ts";

interface CompanyPickerProps {
	/** A company without an extract is shown with its notice and cannot be ordered. */
	chosen: CompanyPreview | null;
	error: string | undefined;
	/** Without JavaScript: the search text and the companies found. */
	found: CompanySearchResult | null;
	onPick: (company: CompanyPreview | null) => void;
}

/** Chooses the company of the extract. Submits its SIREN in a hidden field. */
export function CompanyPicker({ chosen, error, found, onPick }: CompanyPickerProps) {
	const picked = getOrderable(chosen);
	return (
		<>
			{picked ? (
				<ChosenCompany company={picked} onChange={() => onPick(null)} />
			) : (
				<CompanySearchField
					id="siren"
					name="companyQuery"
					label="SIREN, SIRET ou nom d'entreprise"
					hint={"Par exemple\u00a0: 552 032 534 ou Danone"}
					error={error}
					anchor="entreprise"
					intent="find-company"
					found={found}
					onPick={onPick}
					renderResult={(company) => <CompanyResult company={company} onPick={() => onPick(company)} />}
				/>
			)}
			{/* always in the page, so that a screen reader announces a choice */}
			<div role="status" className="grid gap-4 not-empty:mt-4">
				{chosen && !picked && <NameAndSiren company={chosen} />}
				{chosen && <CompanyNoticeList notices={chosen.notices} />}
			</div>
		</>
	);
}

function ChosenCompany({ company, onChange }: { company: CompanyPreview; onChange: () => void }) {
	const hydrated = useHydrated();
	const formAction = useFormAction("entreprise");
	return (
		<div className="flex flex-wrap items-center justify-between gap-x-6 rounded-md border border-line bg-sheet px-4 py-3">
			<input type="hidden" name="siren" value={company.siren} />
			<div>
				<NameAndSiren company={company} />
				<p className="text-sm text-soft">{formatHeadOffice(company)}</p>
			</div>
			<button
				name="intent"
				value="change-company"
				formNoValidate
				formAction={formAction}
				type={hydrated ? "button" : "submit"}
				className={button("quiet")}
				onClick={onChange}
			>
				Modifier l'entreprise
			</button>
		</div>
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
