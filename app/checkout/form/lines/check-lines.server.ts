import type { Database } from "../../../../server/database/database.ts";
import { parseServiceCode, type ServiceCode } from "../../../catalogue/services.ts";
import type { Company } from "../../../companies/company.ts";
import { toPreview } from "../../../companies/company-rows.ts";
import { findCompanies } from "../../../companies/find-company.server.ts";
import { suggestForNames } from "../../../companies/search/suggest-companies.server.ts";
import { hasValidKey, parseSiren, type Siren, type Siret } from "../../../companies/siren.ts";
import { limitConcurrency } from "../../../fulfilment/extracts/limit-concurrency.ts";
import type { FormLine } from "../form-line.ts";
import { completeValues } from "../form-values.ts";
import type { OrderValues } from "../order-form.ts";
import type { OrderForm } from "../order-forms.server.ts";
import { type CheckedLine, isOrderable, isOrdered, type LineProblem, type LineRemark, type OrderedLine } from "./checked-line.ts";
import { type CompanyEntry, listSirens, readCompanyEntry } from "./company-entry.ts";
import { maxReferenceLength } from "./typed-lines.ts";

/** The companies offered for a name. */
const maxChoices = 5;

/** Two hundred names take the database a second. Lists wait for each other, so that they leave connections to everything else. */
const inTurn = limitConcurrency(2);

interface Databases {
	db: Database;
	readDb: Database;
}

/**
 * Checks the lines of a purchase: one query for all numbers, one for all names.
 * @param service of the lines that have none; null: it is still to be chosen.
 */
export async function checkLines(
	{ db, readDb }: Databases,
	lines: readonly FormLine[],
	service: ServiceCode | null,
): Promise<CheckedLine[]> {
	const read = lines.map((line) => ({ line, entry: readCompanyEntry(line.company) }));
	const sirens = read.flatMap(({ entry }) => listSirens(entry));
	const names = [...new Set(read.flatMap(({ entry }) => (entry.kind === "name" ? [entry.name] : [])))];
	const suggest = () => suggestForNames(readDb, names, maxChoices);
	const [companies, suggested] = await Promise.all([findCompanies(db, sirens), names.length > 0 ? inTurn(suggest) : []]);
	const byName = new Map(names.map((name, index) => [name, suggested[index]]));
	const listKnown = (numbers: readonly Siren[]) => numbers.flatMap((siren) => companies.get(siren) ?? []).map(toPreview);
	const checked = read.map(({ line, entry }, index): CheckedLine => {
		const found = entry.kind === "name" ? (byName.get(entry.name) ?? []) : entry.kind === "several" ? listKnown(entry.sirens) : [];
		const company = "siren" in entry ? companies.get(entry.siren) : undefined;
		const [only = null, ...others] = found;
		// of several numbers none is chosen, even if the register knows one alone
		const isChosen = entry.kind !== "several" && others.length === 0;
		const preview = company ? toPreview(company) : isChosen ? only : null;
		return {
			place: index + 1,
			line,
			service: parseServiceCode(line.service) ?? service,
			siren: preview && parseSiren(preview.siren),
			company: preview,
			choices: isChosen ? [] : found,
			problem:
				line.reference.length > maxReferenceLength
					? { code: "long-reference" }
					: preview
						? preview.eligibility === "none"
							? { code: "no-extract" }
							: null
						: describeMissing(entry, found.length),
			remarks: describeEntry(entry, company),
		};
	});
	return markRepeated(checked);
}

function describeMissing(entry: CompanyEntry, found: number): LineProblem {
	switch (entry.kind) {
		case "name":
			return { code: entry.name === "" ? "empty" : found > 1 ? "ambiguous" : "unknown-name" };
		case "several":
			return { code: found > 0 ? "ambiguous" : "unknown-siren" };
		case "number":
			return entry.shortened ? { code: "shortened" } : { code: "wrong-length", digits: entry.digits };
		default:
			return { code: hasValidKey(entry.siren) ? "unknown-siren" : "wrong-key" };
	}
}

function describeEntry(entry: CompanyEntry, company: Company | undefined): LineRemark[] {
	if (entry.kind === "name" && entry.name !== "") return [{ code: "by-name", name: entry.name }];
	if (entry.kind !== "siret" || !company || !isClosed(entry.siret, company)) return [];
	return [{ code: "closed-establishment", siret: entry.siret }];
}

/** Whether all open establishments of a company are listed, and this is none of them. Those of a ceased or masked company are not. */
function isClosed(siret: Siret, { status, masked, establishments: { open, list } }: Company): boolean {
	return status === "active" && !masked && open === list.length && !list.some((establishment) => establishment.siret === siret);
}

/** The same company, service and reference once more is not ordered; with another reference it is a second extract. */
function markRepeated(lines: readonly CheckedLine[]): CheckedLine[] {
	const first = new Map<string, number>();
	const firstOfCompany = new Map<string, number>();
	return lines.map((line) => {
		if (!isOrderable(line)) return line;
		const { siren } = line;
		const key = JSON.stringify([siren, line.service, line.line.reference]);
		const [same, earlier] = [first.get(key), firstOfCompany.get(siren)];
		if (same !== undefined) return { ...line, problem: { code: "duplicate", of: same } };
		first.set(key, line.place);
		if (earlier === undefined) firstOfCompany.set(siren, line.place);
		else return { ...line, remarks: [...line.remarks, { code: "again", of: earlier }] };
		return line;
	});
}

/** What a form has to pay: its values with all addresses, and its lines as the register has them now. */
export interface CheckedForm {
	values: OrderValues;
	/** Each line that was sent, orderable or not. */
	lines: CheckedLine[];
	ordered: OrderedLine[];
}

/** Checks what a form sends to its payment. A form that was not sent yet has no lines. */
export async function checkForm({ db }: Pick<Databases, "db">, { values, lines }: OrderForm): Promise<CheckedForm> {
	const checked = await checkSentLines({ db, readDb: db }, lines, parseServiceCode(values.service));
	return { values: completeValues(values, checked.filter(isOrderable)), lines: checked, ordered: checked.filter(isOrdered) };
}

/** Checks the lines that were sent to the payment, by the company that the customer was shown. They keep their places. */
async function checkSentLines(databases: Databases, lines: readonly FormLine[], service: ServiceCode | null): Promise<CheckedLine[]> {
	const sent = lines.flatMap((line, index) => (line.siren === null ? [] : [{ line: { ...line, company: line.siren }, place: index + 1 }]));
	const checked = await checkLines(
		databases,
		sent.map(({ line }) => line),
		service,
	);
	return checked.map((line, index) => ({ ...line, place: sent[index]?.place ?? line.place }));
}

/** The lines as they go to the payment: each that is ordered has its company. */
export const toSentLines = (checked: readonly CheckedLine[]): FormLine[] =>
	checked.map((line) => ({ ...line.line, siren: isOrdered(line) ? line.siren : null }));
