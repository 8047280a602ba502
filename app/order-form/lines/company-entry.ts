import { hasValidKey, parseSiren, parseSiret, type Siren, type Siret } from "../../companies/siren.ts";
import { getSirenOfVatNumber, parseVatNumber } from "../../companies/vat-number.ts";
import { cleanLine } from "../../forms/text.ts";

/** In characters; no name is longer. */
export const maxCompanyLength = 200;

/** What a line names its company by. */
export type CompanyEntry =
	| { kind: "siren"; siren: Siren }
	| { kind: "siret"; siren: Siren; siret: Siret }
	/** A number that is neither; `shortened`: a spreadsheet has rounded it. */
	| { kind: "number"; digits: number; shortened: boolean }
	| { kind: "name"; name: string };

/**
 * The label before a number: « SIREN : 552 032 534 », « RCS Paris 552 032 534 ». No two neighbouring parts match the same blank, so
 * that a text without a number is refused in one pass.
 */
const label = /^(?:n[°o]\s*)?(?:siren|siret|tva|rcs(?:\s+[\p{L}'’-]+)*)\s*(?:n[°o]\s*)?(?::\s*)?(?=\d|FR)/iu;

const separators = /[\s.\u00a0\u202f'-]/g;

/** « 5,52E+13 »: what a spreadsheet makes of a SIRET in a narrow column. */
const scientific = /^\d(?:[.,]\d+)?e\+?\d+$/i;

/** Reads the company of a line. A VAT number gives its SIREN. Of a long text, such as a cell of a file, only the beginning is read. */
export function readCompanyEntry(typed: string): CompanyEntry {
	const text = cleanLine(typed, maxCompanyLength);
	const unlabelled = text.replace(label, "");
	const siren = parseSiren(unlabelled) ?? restoreZeros(unlabelled);
	if (siren) return { kind: "siren", siren };
	const siret = parseSiret(unlabelled);
	const sirenOfSiret = siret && parseSiren(siret.slice(0, 9));
	if (siret && sirenOfSiret) return { kind: "siret", siren: sirenOfSiret, siret };
	const vat = parseVatNumber(unlabelled);
	const sirenOfVat = vat && getSirenOfVatNumber(vat);
	if (sirenOfVat) return { kind: "siren", siren: sirenOfVat };
	const compact = unlabelled.replace(separators, "");
	if (scientific.test(compact)) return { kind: "number", digits: 0, shortened: true };
	return /^\d{5,}$/.test(compact) ? { kind: "number", digits: compact.length, shortened: false } : { kind: "name", name: text };
}

/** A spreadsheet drops the zeros with which a SIREN begins. Its check digit says whether it has. */
function restoreZeros(text: string): Siren | null {
	const digits = text.replace(separators, "");
	const siren = /^\d{6,8}$/.test(digits) ? parseSiren(digits.padStart(9, "0")) : null;
	return siren && hasValidKey(siren) ? siren : null;
}

/** Whether a text is the number of a company, for finding its column in a file. */
export const isCompanyNumber = (text: string): boolean => "siren" in readCompanyEntry(text);
