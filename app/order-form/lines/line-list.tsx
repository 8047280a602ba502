import { formatEuros } from "../../catalogue/money.ts";
import { serviceCodes, services } from "../../catalogue/services.ts";
import { type CompanyPreview, formatHeadOffice } from "../../companies/company.ts";
import { button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Siren } from "../../ui/siren.tsx";
import { lineFields } from "../read-form.ts";
import type { CheckedLine } from "./checked-line.ts";
import { maxCompanyLength } from "./company-entry.ts";
import { describeProblem, describeRemark } from "./line-sentences.ts";
import { maxReferenceLength } from "./typed-lines.ts";

/** The lines of a purchase, each with what the register says of it. A line that is not ordered can be corrected in place. */
export function LineList({ lines }: { lines: readonly CheckedLine[] }) {
	return (
		<ol>
			{lines.map((line) => (
				<LineRow key={line.place} line={line} />
			))}
		</ol>
	);
}

function LineRow({ line: checked }: { line: CheckedLine }) {
	const { place, line, company, remarks } = checked;
	return (
		<li id={`ligne-${place}`} className="scroll-mt-4 border-t border-line py-4">
			<div className="flex items-start gap-3">
				<span className="figures w-7 text-right text-sm leading-6 text-soft">{place}</span>
				<div className="min-w-0 flex-1">
					{company ? (
						<CompanyFacts company={company} remarks={remarks.map(describeRemark)} />
					) : (
						<p className="font-semibold break-words">{line.company || "Ligne sans entreprise"}</p>
					)}
					<LineFields line={checked} />
				</div>
				<button type="submit" name="intent" value={`remove:${place}`} className={button("quiet", "text-sm")}>
					Retirer<span className="sr-only"> la ligne {place}</span>
				</button>
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
function LineFields({ line: { place, line, choices, problem } }: { line: CheckedLine }) {
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
			<SelectField
				name={fields.service}
				label={label("Service")}
				defaultValue={line.service}
				data-line={problem === null ? "ordered" : "wrong"}
			>
				<option value="">Service commun</option>
				{serviceCodes.map((code) => (
					<option key={code} value={code}>{`${services[code].name}, ${formatEuros(services[code].price)}`}</option>
				))}
			</SelectField>
		</div>
	);
}
