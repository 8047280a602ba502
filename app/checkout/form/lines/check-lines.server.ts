import type { Database } from "../../../../server/database/database.ts";
import { limitConcurrency } from "../../../../server/limit-concurrency.ts";
import { parseServiceCode, type ServiceCode } from "../../../catalogue/services.ts";
import type { Company, CompanyPreview } from "../../../companies/company.ts";
import { toPreview } from "../../../companies/company-rows.ts";
import { readCompanyText } from "../../../companies/company-text.ts";
import { findCompanies } from "../../../companies/find-company.server.ts";
import { mayBeNameOf } from "../../../companies/name-agreement.ts";
import { noFilters } from "../../../companies/search/lexemes.ts";
import { searchCompanies } from "../../../companies/search/search-companies.server.ts";
import { listNamesakes, suggestForNames } from "../../../companies/search/suggest-companies.server.ts";
import { parseSiren, type Siren, type Siret } from "../../../companies/siren.ts";
import { cleanLine } from "../../../ui/forms/text.ts";
import type { FormLine } from "../form-line.ts";
import { completeValues } from "../form-values.ts";
import type { OrderValues } from "../order-form.ts";
import type { OrderForm } from "../order-forms.server.ts";
import { type CheckedLine, isOrderable, isOrdered, type LineProblem, type LineRemark, type OrderedLine } from "./checked-line.ts";
import { maxCompanyLength, maxReferenceLength } from "./line-fields.ts";

/** The companies offered for a name. */
const maxChoices = 5;

/** The names that are searched one by one. */
const maxSearched = 40;

/** Two hundred names take the database a second. Lists wait for each other, so that they leave connections to everything else. */
const inTurn = limitConcurrency(2);

interface Databases {
	db: Database;
	readDb: Database;
}

/**
 * Checks the lines of a purchase: one query for all numbers, two for all names, and a search for each name that they do not find.
 * @param service of the lines that have none; null: it is still to be chosen.
 */
export async function checkLines(
	{ db, readDb }: Databases,
	lines: readonly FormLine[],
	service: ServiceCode | null,
): Promise<CheckedLine[]> {
	const read = lines.map((line) => ({ line, entry: readEntry(line.company) }));
	const companies = await findCompanies(
		db,
		read.flatMap(({ entry }) => entry.sirens),
	);
	const found = read.map(({ line, entry }) => {
		const known = entry.sirens.flatMap((siren) => companies.get(siren) ?? []);
		const [only] = entry.isSure && known.length === 1 ? known : [];
		const disagrees = only !== undefined && !mayBeNameOf(entry.beside, only);
		return {
			line,
			entry,
			known: known.map(toPreview),
			company: only,
			disagrees,
			name: disagrees || (only === undefined && entry.choose) ? entry.beside.join(" ") : entry.name,
		};
	});
	const names = [...new Set(found.flatMap(({ name }) => (name === "" ? [] : [name])))];
	const [namesakes, suggested] = names.length > 0 ? await inTurn(() => findByName(readDb, names)) : [[], []];
	const checked = found.map(({ line, entry, known, company, disagrees, name }, index): CheckedLine => {
		const place = names.indexOf(name);
		const [namesake, ...others] = namesakes[place] ?? [];
		const isNamed = entry.name !== "" && others.length === 0 && namesake !== undefined;
		const preview = disagrees ? null : company ? toPreview(company) : isNamed ? namesake : null;
		const choices = preview ? [] : listDifferent([...known, ...(namesakes[place] ?? []), ...(suggested[place] ?? [])]).slice(0, maxChoices);
		return {
			place: index + 1,
			line,
			service: parseServiceCode(line.service) ?? service,
			siren: preview && parseSiren(preview.siren),
			company: preview,
			choices,
			problem:
				line.reference.length > maxReferenceLength
					? { code: "long-reference" }
					: preview
						? preview.eligibility === "none"
							? { code: "no-extract" }
							: null
						: disagrees && company
							? { code: "other-name", company: toPreview(company).name }
							: choices.length > 0
								? (entry.choose ?? { code: namesake ? "ambiguous" : choices.length > 1 ? "all-similar" : "similar" })
								: entry.missing,
			remarks: isNamed ? [byName] : describeEstablishment(entry, company),
		};
	});
	return markRepeated(checked);
}

/** The companies that have each name, and those that it may mean: without some of its words, or with a typing error, if need be. */
async function findByName(db: Database, names: readonly string[]): Promise<[CompanyPreview[][], CompanyPreview[][]]> {
	const namesakes = await listNamesakes(db, names);
	const suggested = await suggestForNames(db, names, maxChoices);
	const isUnknown = (place: number) => [namesakes, suggested].every((lists) => (lists[place] ?? []).length === 0);
	for (const place of [...names.keys()].filter(isUnknown).slice(0, maxSearched)) {
		const { results } = await searchCompanies(db, { query: names[place] ?? "", ...noFilters, page: 1 });
		suggested[place] = results.slice(0, maxChoices).map(toPreview);
	}
	return [namesakes, suggested];
}

/** What a line's text asks for. */
interface Entry {
	/** The companies that its numbers name. */
	sirens: Siren[];
	/** The numbers name one company for certain. */
	isSure: boolean;
	siret: Siret | null;
	/** The words beside a number. */
	beside: readonly string[];
	/** Of a text without a number. */
	name: string;
	/** Why nothing is ordered, when no company is found; and when some may be chosen, where it is not « ambiguous ». */
	missing: LineProblem;
	choose?: LineProblem;
}

function readEntry(typed: string): Entry {
	const text = cleanLine(typed, maxCompanyLength);
	const read = readCompanyText(text);
	const entry = { sirens: [], isSure: true, siret: null, beside: [], name: "", missing: { code: "unknown-siren" } } satisfies Entry;
	switch (read.kind) {
		case "number":
			return { ...entry, sirens: [read.siren], siret: read.siret, beside: read.beside };
		case "several":
			// none of them is chosen, even if the register knows one alone
			return { ...entry, sirens: read.sirens, isSure: false, choose: { code: "ambiguous" } };
		case "wrong":
			// a SIREN that the register has names its company, whatever its key; in a VAT number with a wrong key any digit may be wrong
			return { ...entry, sirens: [read.siren], isSure: read.digits !== 11, beside: read.beside, missing: wrongKey, choose: wrongKey };
		case "digits":
			if (read.digits < fewestDigits) return { ...entry, name: text, missing: { code: "unknown-name" } };
			return { ...entry, ...readOtherNumber(read) };
		case "shortened":
			return { ...entry, beside: read.beside, missing: shortened, choose: shortened };
		case "name":
			if (read.number) return { ...entry, ...readOtherNumber(read.number), beside: read.number.beside };
			return { ...entry, name: read.name, missing: { code: read.name === "" ? "empty" : "unknown-name" } };
	}
}

/** A company whose number lost its zeros, or else a number of a wrong length. Of nine digits, as in « FR552032535 », the key is wrong. */
function readOtherNumber({ digits, restored }: { digits: number; restored: Siren | null }): Pick<Entry, "sirens" | "missing" | "choose"> {
	const problem: LineProblem = digits === 9 || digits === 14 ? wrongKey : { code: "wrong-length", digits };
	return { sirens: restored ? [restored] : [], missing: problem, choose: problem };
}

const byName: LineRemark = { code: "by-name" };
const wrongKey: LineProblem = { code: "wrong-key" };
const shortened: LineProblem = { code: "shortened" };

/** Fewer may be a name: « 1789 ». */
const fewestDigits = 5;

const listDifferent = (companies: readonly CompanyPreview[]): CompanyPreview[] =>
	companies.filter(({ siren }, index) => companies.findIndex((other) => other.siren === siren) === index);

const describeEstablishment = ({ siret }: Entry, company: Company | undefined): LineRemark[] =>
	siret && company && isClosed(siret, company) ? [{ code: "closed-establishment", siret }] : [];

/** Whether all open establishments of a company are listed, and this is none of them. Those of a ceased or masked company are not. */
function isClosed(siret: Siret, { status, masked, establishments: { open, list } }: Company): boolean {
	return status === "active" && !masked && open === list.length && !list.some((establishment) => establishment.siret === siret);
}

/** The same company, service and reference once more is not ordered; with another reference it is a second extract. */
function markRepeated(lines: readonly CheckedLine[]): CheckedLine[] {
	const first = new Map<string, number>();
	const firstOfService = new Map<string, number>();
	return lines.map((line) => {
		if (!isOrderable(line)) return line;
		const { siren } = line;
		const ofService = JSON.stringify([siren, line.service]);
		const key = JSON.stringify([ofService, line.line.reference]);
		const [same, earlier] = [first.get(key), firstOfService.get(ofService)];
		if (same !== undefined) return { ...line, problem: { code: "duplicate", of: same } };
		first.set(key, line.place);
		if (earlier === undefined) firstOfService.set(ofService, line.place);
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

/** Checks the lines that were sent to the payment, by the company that the customer was shown. They keep their places, and the doubt about a name. */
async function checkSentLines(databases: Databases, lines: readonly FormLine[], service: ServiceCode | null): Promise<CheckedLine[]> {
	const sent = lines.flatMap((line, index) =>
		line.siren === null
			? []
			: [{ line: { ...line, company: line.siren }, place: index + 1, remarks: readEntry(line.company).name === "" ? [] : [byName] }],
	);
	const checked = await checkLines(
		databases,
		sent.map(({ line }) => line),
		service,
	);
	return checked.map((line, index) => {
		const { place = line.place, remarks = [] } = sent[index] ?? {};
		return { ...line, place, remarks: [...remarks, ...line.remarks] };
	});
}

/** The lines as they go to the payment: each that is ordered has its company. */
export const toSentLines = (checked: readonly CheckedLine[]): FormLine[] =>
	checked.map((line) => ({ ...line.line, siren: isOrdered(line) ? line.siren : null }));
