import { findCompanyNumbers } from "../../../companies/company-numbers.ts";
import { hasValidKey, parseSiren, parseSiret, type Siren, type Siret } from "../../../companies/siren.ts";
import { getSirenOfVatNumber, parseVatNumber } from "../../../companies/vat-number.ts";
import { cleanLine } from "../../../ui/forms/text.ts";

/** In characters; no name is longer. */
export const maxCompanyLength = 200;

/** What a line names its company by. */
export type CompanyEntry =
	| { kind: "siren"; siren: Siren }
	| { kind: "siret"; siren: Siren; siret: Siret }
	/** Numbers of several companies. */
	| { kind: "several"; sirens: Siren[] }
	/** A number that is neither; `shortened`: a spreadsheet has rounded it. */
	| { kind: "number"; digits: number; shortened: boolean }
	| { kind: "name"; name: string };

/**
 * The label before a number: « SIREN : 552 032 534 », « RCS Paris 552 032 534 ». No two neighbouring parts match the same blank, so
 * that a text without a number is refused in one pass.
 */
const label = /^(?:n[°o]\s*)?(?:siren|siret|tva|rcs(?:\s+[\p{L}'’-]+)*)\s*(?:n[°o]\s*)?(?::\s*)?(?=\d|FR)/iu;

const separators = /[\s.\u00a0\u202f'’\p{Pd}]/gu;

/** « 5,52032534E+8 »: what a spreadsheet makes of a number in a narrow column. */
const scientific = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;

/** Reads the company of a line. A VAT number gives its SIREN. Of a long text, such as a cell of a file, only the beginning is read. */
export function readCompanyEntry(typed: string): CompanyEntry {
	const text = cleanLine(typed, maxCompanyLength);
	const unlabelled = repairCell(text.normalize("NFKC")).replace(label, "");
	const compact = unlabelled.replace(separators, "");
	const siren = parseSiren(compact) ?? restoreZeros(compact);
	if (siren) return { kind: "siren", siren };
	const siret = parseSiret(compact);
	const sirenOfSiret = siret && parseSiren(siret.slice(0, 9));
	if (siret && sirenOfSiret) return { kind: "siret", siren: sirenOfSiret, siret };
	const vat = parseVatNumber(unlabelled);
	const sirenOfVat = vat && getSirenOfVatNumber(vat);
	if (sirenOfVat) return { kind: "siren", siren: sirenOfVat };
	const [found, ...others] = findCompanyNumbers(text);
	if (found && others.length > 0) return { kind: "several", sirens: [found, ...others].map((number) => number.siren) };
	if (found?.siret) return { kind: "siret", siren: found.siren, siret: found.siret };
	if (found) return { kind: "siren", siren: found.siren };
	if (scientific.test(unlabelled.replace(/\s/g, ""))) return { kind: "number", digits: 0, shortened: true };
	return /^\d{5,}$/.test(compact) ? { kind: "number", digits: compact.length, shortened: false } : { kind: "name", name: text };
}

/** Undoes what spreadsheets write for a number: a formula, the apostrophe of a text, decimals, and an exponent that lost no digit. */
function repairCell(text: string): string {
	const cell = text
		.replace(/^="?([^"]*)"?$/, "$1")
		.replace(/^['’](?=\d)/, "")
		.replace(/^(\d{9}|\d{14})[.,]0+$/, "$1");
	const [, first, decimals = "", exponent] = scientific.exec(cell.replace(/\s/g, "")) ?? [];
	if (first === undefined) return cell;
	const digits = `${first}${decimals.slice(0, Number(exponent))}`;
	const isWhole = digits.length === Number(exponent) + 1 && /^0*$/.test(decimals.slice(Number(exponent)));
	return isWhole && hasValidKey(digits) ? digits : cell;
}

/** A spreadsheet drops the zeros with which a SIREN begins. Its check digit says whether it has. */
function restoreZeros(digits: string): Siren | null {
	const siren = /^\d{6,8}$/.test(digits) ? parseSiren(digits.padStart(9, "0")) : null;
	return siren && hasValidKey(siren) ? siren : null;
}

/** Whether a text contains the number of a company, with a right key: other numbers may be telephones or accounts. */
export const hasCompanyNumber = (text: string): boolean => findCompanyNumbers(repairCell(cleanLine(text, maxCompanyLength))).length > 0;

/** The companies that an entry names by their numbers. */
export const listSirens = (entry: CompanyEntry): Siren[] => ("siren" in entry ? [entry.siren] : "sirens" in entry ? entry.sirens : []);
