import { memo } from "react";
import { serviceCodes, services } from "../../../catalogue/services.ts";
import { type CompanyPreview, formatHeadOffice } from "../../../companies/company.ts";
import { button } from "../../../ui/button.tsx";
import { FieldMessages, fieldAriaProps, inputClass, selectClass } from "../../../ui/field.tsx";
import { Siren } from "../../../ui/siren.tsx";
import type { FormPage } from "../form-state.ts";
import type { CheckedLine } from "./checked-line.ts";
import { lineFields, maxCompanyLength, maxReferenceLength } from "./line-fields.ts";
import { describeChoice, describeProblem, describeRemark } from "./line-sentences.ts";

interface LineTableProps extends Pick<FormPage, "lines" | "errors"> {
	label: string;
	/** The address to which the button that removes a line sends the form without JavaScript. */
	getAction: (place: number) => string;
}

/** Lines of a list, a row each: what is ordered, its reference and service to be edited in place, and below, what is to be read about it. */
export function LineTable({ label, lines, errors, getAction }: LineTableProps) {
	return (
		<table aria-label={label} className="line-table w-full text-left">
			<thead>
				<tr>
					{columns.map(([heading, width]) => (
						<th key={heading} scope="col" className={width}>
							<span className="sr-only">{heading}</span>
						</th>
					))}
				</tr>
			</thead>
			{lines.map((line) => (
				<LineRows key={line.place} line={line} error={errors[`ligne-${line.place}`]} action={getAction(line.place)} />
			))}
		</table>
	);
}

const columns = [
	["Ligne", "w-9"],
	["Entreprise", ""],
	["Votre référence", "w-40"],
	["Service", "w-44"],
	["Retirer", "w-1"],
] as const;

/** The same for all lines: two hundred lists of services are drawn once. */
const serviceOptions = [
	<option key="" value="">
		Service commun
	</option>,
	...serviceCodes.map((code) => (
		<option key={code} value={code}>
			{services[code].name}
		</option>
	)),
];

interface LineRowsProps {
	line: CheckedLine;
	/** Why its own service cannot be ordered. */
	error: string | undefined;
	action: string;
}

/** The company of a good line is not typed again: it can be removed. Nothing that is typed elsewhere draws the rows anew. */
const LineRows = memo(({ line: { place, line, company, choices, problem, remarks }, error, action }: LineRowsProps) => {
	const fields = lineFields(place);
	const ofReference = problem?.code === "duplicate" || problem?.code === "long-reference";
	const corrects = problem !== null && !ofReference;
	const wrongField = ofReference ? fields.reference : !problem ? fields.service : choices.length > 0 ? fields.choice : fields.company;
	const shownError = problem ? (
		<span>
			<span className="sr-only">Ligne {place}, non commandée&nbsp;: </span>
			{describeProblem(problem)}
		</span>
	) : (
		error
	);
	const frame = (name: string) => fieldAriaProps({ name, label: "", error: name === wrongField && shownError });
	const correction = corrects && (
		<input
			type="text"
			name={fields.company}
			aria-label={`${choices.length > 0 ? "Ou son SIREN, ou un autre nom" : "SIREN, SIRET ou nom"} de la ligne ${place}`}
			defaultValue={line.company}
			maxLength={maxCompanyLength}
			spellCheck={false}
			autoComplete="off"
			className={inputClass}
			{...frame(fields.company)}
		/>
	);
	const sentences = company && company.eligibility !== "none" ? listSentences(company, remarks.map(describeRemark)) : [];
	return (
		// a link to the line moves the focus to it
		<tbody id={`ligne-${place}`} tabIndex={-1} className="scroll-mt-4 border-t border-line">
			<tr>
				<td className="figures text-sm text-soft">{place}</td>
				<th scope="row" className="font-normal">
					{!correction && <input type="hidden" name={fields.company} value={line.company} />}
					{company ? <CompanyFacts company={company} /> : correction || <strong>{line.company || "Ligne sans entreprise"}</strong>}
				</th>
				<td>
					<input
						type="text"
						name={fields.reference}
						aria-label={`Votre référence de la ligne ${place}`}
						placeholder="Référence"
						defaultValue={line.reference}
						maxLength={maxReferenceLength + 1}
						spellCheck={false}
						autoComplete="off"
						className={inputClass}
						{...frame(fields.reference)}
					/>
				</td>
				<td>
					<select
						name={fields.service}
						aria-label={`Service de la ligne ${place}`}
						defaultValue={line.service}
						className={selectClass}
						{...frame(fields.service)}
					>
						{serviceOptions}
					</select>
				</td>
				<td>
					<button
						type="submit"
						name="intent"
						value={`remove:${place}`}
						formAction={action}
						aria-label={`Retirer la ligne ${place}`}
						className={button("quiet", "text-sm")}
					>
						Retirer
					</button>
				</td>
			</tr>
			{(shownError || sentences.length > 0) && (
				<tr>
					<td colSpan={5}>
						<FieldMessages name={wrongField} label="" error={shownError} />
						{choices.length > 0 && (
							<select
								name={fields.choice}
								aria-label={`Entreprise de la ligne ${place}`}
								defaultValue=""
								className={selectClass}
								{...frame(fields.choice)}
							>
								<option value="">Choisissez l’entreprise</option>
								{choices.map((choice) => (
									<option key={choice.siren} value={choice.siren}>
										{describeChoice(choice)}
									</option>
								))}
							</select>
						)}
						{company && correction}
						{sentences.map((sentence) => (
							<p key={sentence} className="border-l-2 border-waiting pl-3 text-sm">
								{sentence}
							</p>
						))}
					</td>
				</tr>
			)}
		</tbody>
	);
});

/** Name, SIREN and town. */
function CompanyFacts({ company: { name, siren, headOffice } }: { company: CompanyPreview }) {
	const town = headOffice && formatHeadOffice({ headOffice: { ...headOffice, street: null } });
	return (
		<>
			<p className="leading-snug font-semibold break-words">{name}</p>
			<p className="text-sm text-soft">
				<Siren value={siren} />
				{town && ` · ${town}`}
			</p>
		</>
	);
}

const listSentences = ({ notices }: CompanyPreview, remarks: readonly string[]): string[] => [
	...notices.map(({ title, text }) => `${title}. ${text}`),
	...remarks,
];
