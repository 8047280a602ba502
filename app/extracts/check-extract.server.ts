import type { Siren } from "../companies/siren.ts";
import { maxExtractBytes } from "../documents/extract-size.ts";
import { containsSiren, findCompanySiren, findIssueDate } from "./extract-text.ts";
import { inspectPdf } from "./inspect-pdf.server.ts";
import { maxPages, type PdfFinding } from "./pdf-summary.ts";

/** The operator's confirmations after looking at the file. */
export interface Confirmations {
	/** The extract may be more than a day old. */
	old?: boolean;
	/** The text is not machine-readable, but the company is right. */
	unreadable?: boolean;
	/** The date of issue, if the text has none. */
	issuedAt?: Date;
}

/** The reason why an extract is refused. */
export type ExtractProblem =
	| "empty"
	| "too-large"
	| "not-pdf"
	| "truncated"
	| "more-than-pdf"
	| "damaged"
	| "encrypted"
	| "heavy"
	| "no-page"
	| "too-many-pages"
	| PdfFinding
	| "unreadable"
	| "other-company"
	| "no-siren"
	| "specimen"
	| "undated"
	| "future"
	| "old";

/** What the operator confirmed, or should know, of an accepted extract. */
export type ExtractWarning = "unreadable" | "date-given" | "day-without-hour" | "old";

/** The confirmation that overrides each of these problems. */
const confirmationsByProblem: Partial<Record<ExtractProblem, keyof Confirmations>> = {
	unreadable: "unreadable",
	undated: "issuedAt",
	old: "old",
};

export type ExtractCheck =
	| { ok: true; issuedAt: Date; warnings: ExtractWarning[] }
	/** `confirm`: the confirmation that would accept the extract, if any. */
	| { ok: false; code: ExtractProblem; confirm: keyof Confirmations | null };

const maxAgeMs = 86_400_000; // milliseconds
const maxClockSkewMs = 300_000; // milliseconds by which the greffe's clock may be ahead

/**
 * Checks an uploaded extract: it must be one complete PDF without active content, name the ordered company (docs/rules.md, R22), and be
 * less than a day old. A date without an hour counts from midnight in Paris, so that today's date is accepted.
 * @throws when the inspector of PDFs does not work.
 */
export async function checkExtract(
	bytes: Uint8Array,
	{ siren, now, specimens = false, confirmed = {} }: { siren: Siren; now: Date; specimens?: boolean; confirmed?: Confirmations },
): Promise<ExtractCheck> {
	const fileProblem = findFileProblem(bytes);
	if (fileProblem) return refuse(fileProblem);
	const summary = await inspectPdf(bytes);
	if (summary === null) return refuse("heavy");
	if (summary.encrypted) return refuse("encrypted");
	const [finding] = summary.findings;
	if (finding) return refuse(finding);
	if (!summary.opens) return refuse("damaged");
	if (summary.pages < 1) return refuse("no-page");
	if (summary.pages > maxPages) return refuse("too-many-pages");
	return checkExtractText(summary.text, { siren, now, specimens, confirmed });
}

/** Checks the bytes without parsing the PDF. */
function findFileProblem(bytes: Uint8Array): ExtractProblem | null {
	if (bytes.byteLength === 0) return "empty";
	if (bytes.byteLength > maxExtractBytes) return "too-large";
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!/^%PDF-[12]\.\d/.test(file.toString("latin1", 0, 8))) return "not-pdf";
	const end = file.lastIndexOf("%%EOF");
	if (end < 0 || !file.includes("startxref")) return "truncated";
	// readers of ZIP start from the end, so an archive may hide in the file
	if (!/^[\s\0]*$/.test(file.toString("latin1", end + 5)) || file.subarray(-66_000).includes("PK\x05\x06")) return "more-than-pdf";
	return null;
}

/** Checks company and date in the text of a PDF. */
export function checkExtractText(
	text: string,
	{ siren, now, specimens, confirmed }: { siren: Siren; now: Date; specimens: boolean; confirmed: Confirmations },
): ExtractCheck {
	const warnings: ExtractWarning[] = [];
	const readable = (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 50;
	if (readable) {
		if (!specimens && /SPECIMEN\s+—\s+SANS VALEUR/.test(text)) return refuse("specimen");
		const own = findCompanySiren(text);
		if (own !== null && own !== siren) return refuse("other-company");
		if (!containsSiren(text, siren)) return refuse("no-siren");
	} else {
		if (!confirmed.unreadable) return refuse("unreadable");
		warnings.push("unreadable");
	}

	const issueDate = findIssueDate(text);
	const issuedAt = issueDate?.at ?? confirmed.issuedAt;
	if (issuedAt === undefined) return refuse("undated");
	if (issuedAt.getTime() > now.getTime() + maxClockSkewMs) return refuse("future");
	if (!issueDate) warnings.push("date-given");
	else if (!issueDate.hasHour) warnings.push("day-without-hour");
	if (now.getTime() - issuedAt.getTime() >= maxAgeMs) {
		if (!confirmed.old) return refuse("old");
		warnings.push("old");
	}
	return { ok: true, issuedAt, warnings };
}

const refuse = (code: ExtractProblem): ExtractCheck => ({ ok: false, code, confirm: confirmationsByProblem[code] ?? null });
