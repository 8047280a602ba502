import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { formatEuros } from "../../../catalogue/money.ts";
import { type ServiceCode, serviceCodes, services } from "../../../catalogue/services.ts";
import { type CompanyPreview, formatHeadOffice } from "../../../companies/company.ts";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import { Siren } from "../../../ui/siren.tsx";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import type { FormPage } from "../form-state.ts";
import type { CheckedLine } from "./checked-line.ts";
import { lineFields, linesField, maxCompanyLength, maxLines, maxReferenceLength, shownField } from "./line-fields.ts";
import { describeProblem, describeRemark } from "./line-sentences.ts";

interface ListFieldsProps extends Pick<FormPage, "lines" | "noticeSource" | "shown" | "added"> {
	/** The service of the lines that have none of their own; null: not chosen yet. */
	common: ServiceCode | null;
}

/** The lines of a form, each with what the register says of it, and the field for further ones. A line that is not ordered can be corrected in place. */
export function ListFields({ lines, noticeSource, shown, added, common }: ListFieldsProps) {
	const entry = useRef<HTMLTextAreaElement>(null);
	const { hash } = useLocation();
	// a page from the server is already where its URL leads
	const [drawnHere] = useState(useHydrated());
	useEffect(() => {
		if (drawnHere && hash === "#entreprises") entry.current?.focus();
	}, [drawnHere, hash]);
	return (
		<section className="pb-10">
			<h2 id="entreprises-titre" tabIndex={-1} className="mb-5 text-xl">
				{lines.length === 0 ? "Aucune entreprise" : `${lines.length} entreprise${lines.length > 1 ? "s" : ""}`}
			</h2>
			<input type="hidden" name={linesField} value={lines.length} />
			<input type="hidden" name={shownField} value={shown} />
			<ol>
				{lines.map((line) => (
					<LineRow key={line.place} line={line} common={common} />
				))}
			</ol>
			{noticeSource && <p className="border-t border-line pt-3 text-sm text-soft">Annonces publiées. {noticeSource}</p>}
			{(lines.length < maxLines || added !== "") && (
				<Disclosure title="Ajouter des entreprises" open={lines.length <= 1 || added !== ""} className="border-y">
					<TextAreaField
						ref={entry}
						name="entreprises"
						label="Une entreprise par ligne"
						hint="SIREN, SIRET ou nom, et votre référence après un point-virgule."
						rows={4}
						defaultValue={added}
						spellCheck={false}
						autoComplete="off"
						className="pb-4"
					/>
				</Disclosure>
			)}
			<button type="submit" name="intent" value="update" className={button("secondary", "mt-5")}>
				Mettre à jour la liste
			</button>
		</section>
	);
}

interface LineProps {
	line: CheckedLine;
	common: ServiceCode | null;
}

function LineRow({ line: checked, common }: LineProps) {
	const { place, line, company, remarks } = checked;
	return (
		// a link to the line moves the focus to it
		<li id={`ligne-${place}`} tabIndex={-1} className="scroll-mt-4 border-t border-line py-4">
			<div className="flex items-start gap-3">
				<span className="figures w-7 text-right text-sm leading-6 text-soft">{place}</span>
				<div className="min-w-0 flex-1">
					<div className="flex items-start gap-3">
						<div className="min-w-0 flex-1">
							{company ? (
								<CompanyFacts company={company} remarks={remarks.map(describeRemark)} />
							) : (
								<p className="font-semibold break-words">{line.company || "Ligne sans entreprise"}</p>
							)}
						</div>
						<button type="submit" name="intent" value={`remove:${place}`} className={button("quiet", "text-sm")}>
							Retirer<span className="sr-only"> la ligne {place}</span>
						</button>
					</div>
					<LineFields line={checked} common={common} />
				</div>
			</div>
		</li>
	);
}

function CompanyFacts({ company, remarks }: { company: CompanyPreview; remarks: readonly string[] }) {
	const headOffice = formatHeadOffice(company);
	return (
		<>
			<p className="font-semibold break-words">{company.name}</p>
			<p className="text-sm text-soft">
				SIREN <Siren value={company.siren} />
				{headOffice && ` · ${headOffice}`}
				{company.eligibility === "kbis" && " · Extrait Kbis"}
			</p>
			{company.eligibility !== "none" &&
				[...company.notices.map(({ title, text }) => `${title}. ${text}`), ...remarks].map((sentence) => (
					<p key={sentence} className="mt-1 border-l-2 border-waiting pl-3 text-sm">
						{sentence}
					</p>
				))}
		</>
	);
}

/** The company of a good line is not typed again: it can be removed. */
function LineFields({ line: { place, line, choices, problem }, common }: LineProps) {
	const hydrated = useHydrated();
	const fields = lineFields(place);
	const isOfReference = problem?.code === "duplicate" || problem?.code === "long-reference";
	const corrects = problem !== null && !isOfReference;
	const error = problem && (
		<span>
			<span className="sr-only">Ligne {place}, non commandée&nbsp;: </span>
			{describeProblem(problem)}
		</span>
	);
	const label = (text: string) => (
		<span className="text-sm font-normal text-soft">
			{text}
			<span className="sr-only"> de la ligne {place}</span>
		</span>
	);
	return (
		<div className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-2">
			{choices.length > 0 && (
				<SelectField name={fields.choice} label={label("Entreprise")} error={error} className="sm:col-span-2" defaultValue="">
					<option value="">Choisissez l’entreprise</option>
					{choices.map((choice) => (
						<option key={choice.siren} value={choice.siren}>
							{[choice.name, choice.siren, formatHeadOffice(choice)].filter(Boolean).join(", ")}
						</option>
					))}
				</SelectField>
			)}
			{corrects ? (
				<TextField
					name={fields.company}
					label={label(choices.length > 0 ? "Ou son SIREN, ou un autre nom" : "SIREN, SIRET ou nom")}
					defaultValue={line.company}
					maxLength={maxCompanyLength}
					spellCheck={false}
					autoComplete="off"
					error={choices.length === 0 && error}
					className="sm:col-span-2"
				/>
			) : (
				<input type="hidden" name={fields.company} value={line.company} />
			)}
			<TextField
				name={fields.reference}
				label={label("Votre référence")}
				error={isOfReference && error}
				defaultValue={line.reference}
				maxLength={maxReferenceLength + 1}
				spellCheck={false}
				autoComplete="off"
			/>
			<SelectField name={fields.service} label={label("Service")} defaultValue={line.service}>
				<option value="">
					{/* without scripts it would be that of the page before */}
					{hydrated ? `Service commun\u00a0: ${common ? services[common].name : "à choisir"}` : "Service commun"}
				</option>
				{serviceCodes.map((code) => (
					<option key={code} value={code}>{`${services[code].name}, ${formatEuros(services[code].price)}`}</option>
				))}
			</SelectField>
		</div>
	);
}
