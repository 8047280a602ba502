import { day } from "../../server/durations.ts";
import type { Siren } from "../companies/siren.ts";
import { maxExtractBytes } from "../documents/extract-size.ts";
import { containsSiren, findCompanySiren, findIssueDate, type IssueDate, listSirens } from "./extract-text.ts";
import { findPicture } from "./find-picture.ts";
import type { InspectorContext } from "./inspect-pdf.server.ts";
import { fewestLetters, maxPages, type PdfFinding, type PdfSummary } from "./pdf-summary.ts";
import { isOtherPicture, isPhoto, isPhotoPdf } from "./photos/photo-header.ts";

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
	| "picture" // a photo, where a PDF is needed
	| "photo" // where the file of the greffe is needed
	| "scan" // the same, as a PDF
	| "other-picture" // in a format that is not taken
	| "damaged-picture"
	| "large-picture"
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

export type ExtractCheck =
	/** `confirmed`: the confirmations without which the extract would be refused. */
	| { ok: true; issuedAt: Date; warnings: ExtractWarning[]; confirmed: (keyof Confirmations)[] }
	/** `confirm`: the confirmation that would accept the extract, if any. */
	| { ok: false; code: ExtractProblem; confirm: keyof Confirmations | null };

/** What the shop knows of a file for an order, before an operator confirms anything. */
export interface ExtractFacts {
	/** Refuses the file for good; null when a confirmation may be enough. */
	problem: ExtractProblem | null;
	/** Whether the text can be read by a machine. */
	readable: boolean;
	/** The SIREN of the extract's company; null when the text does not say which one it is. */
	siren: string | null;
	/** Every SIREN in the text, the company's first. */
	sirens: string[];
	/** The date of issue in the text; null when there is none. */
	issueDate: IssueDate | null;
	/** 0 when the file was not parsed. */
	pages: number;
	/** The pages are pictures, with or without text that a scanner recognised. */
	isScan?: boolean;
	/** And the file is the PDF that the shop makes of a photo. */
	isPhoto?: boolean;
}

const maxAgeMs = day;
const maxClockSkewMs = 300_000; // milliseconds by which the greffe's clock may be ahead

interface OrderedExtract {
	/** Null while the order is not known. */
	siren: Siren | null;
	/** Whether the demo's specimens are accepted. */
	specimens?: boolean;
}

/**
 * Checks an uploaded extract: it must be one complete PDF without active content, name the ordered company (docs/rules.md, R22), and be
 * less than a day old. A date without an hour counts from midnight in Paris, so that today's date is accepted.
 * @throws when the inspector of PDFs does not work.
 */
export async function checkExtract(
	context: InspectorContext,
	bytes: Uint8Array,
	{ now, confirmed, takesPictures, ...ordered }: OrderedExtract & Judged,
): Promise<ExtractCheck> {
	return judgeExtract(await examineExtract(context, bytes, ordered), { now, confirmed, takesPictures });
}

/**
 * Finds all that a file says, in one pass of the inspector.
 * @throws when the inspector of PDFs does not work.
 */
export async function examineExtract({ inspectPdf }: InspectorContext, bytes: Uint8Array, ordered: OrderedExtract): Promise<ExtractFacts> {
	const nothing: ExtractFacts = { problem: null, readable: false, siren: null, sirens: [], issueDate: null, pages: 0 };
	const fileProblem = findFileProblem(bytes);
	if (fileProblem) return { ...nothing, problem: fileProblem };
	const summary = await inspectPdf(bytes);
	if (summary === null) return { ...nothing, problem: "heavy" };
	const problem = findPdfProblem(summary);
	if (problem) return { ...nothing, problem, pages: summary.pages };
	const facts = { ...examineText(summary.text, ordered), pages: summary.pages };
	return summary.isScan ? { ...facts, isScan: true, ...(isPhotoPdf(bytes) && { isPhoto: true }) } : facts;
}

/** What an extract is judged by. `takesPictures`: only where a letter is posted (docs/rules.md, R206). */
interface Judged {
	now: Date;
	confirmed?: Confirmations;
	takesPictures?: boolean;
}

/** Applies the operator's confirmations to the facts: the first problem that is left refuses the file. */
export function judgeExtract(facts: ExtractFacts, { now, confirmed = {}, takesPictures = false }: Judged): ExtractCheck {
	const picture = takesPictures ? null : findPicture(facts);
	if (picture) return refuse(picture);
	if (facts.problem) return refuse(facts.problem);
	const warnings: ExtractWarning[] = [];
	if (!facts.readable) {
		if (!confirmed.unreadable) return refuse("unreadable");
		warnings.push("unreadable");
	}
	const issuedAt = facts.issueDate?.at ?? confirmed.issuedAt;
	if (issuedAt === undefined) return refuse("undated");
	if (issuedAt.getTime() > now.getTime() + maxClockSkewMs) return refuse("future");
	if (!facts.issueDate) warnings.push("date-given");
	else if (!facts.issueDate.hasHour) warnings.push("day-without-hour");
	if (now.getTime() - issuedAt.getTime() >= maxAgeMs) {
		if (!confirmed.old) return refuse("old");
		warnings.push("old");
	}
	const used = (["unreadable", "issuedAt", "old"] as const).filter((name) => warnings.includes(warningsByConfirmation[name]));
	return { ok: true, issuedAt, warnings, confirmed: used };
}

/** The confirmation that overrides each of these problems. */
const confirmationsByProblem: Partial<Record<ExtractProblem, keyof Confirmations>> = {
	unreadable: "unreadable",
	undated: "issuedAt",
	old: "old",
};

const warningsByConfirmation: Record<keyof Confirmations, ExtractWarning> = {
	unreadable: "unreadable",
	issuedAt: "date-given",
	old: "old",
};

const refuse = (code: ExtractProblem): ExtractCheck => ({ ok: false, code, confirm: confirmationsByProblem[code] ?? null });

/** Checks the bytes without parsing the PDF. */
function findFileProblem(bytes: Uint8Array): ExtractProblem | null {
	if (bytes.byteLength === 0) return "empty";
	if (bytes.byteLength > maxExtractBytes) return "too-large";
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = file.toString("latin1", 0, 12);
	if (isPhoto(bytes)) return "picture";
	if (isOtherPicture(bytes)) return "other-picture";
	if (!/^%PDF-[12]\.\d/.test(start)) return "not-pdf";
	const end = file.lastIndexOf("%%EOF");
	if (end < 0 || !file.includes("startxref")) return "truncated";
	// readers of ZIP start from the end, so an archive may hide in the file
	if (!/^[\s\0]*$/.test(file.toString("latin1", end + 5)) || file.subarray(-66_000).includes("PK\x05\x06")) return "more-than-pdf";
	return null;
}

function findPdfProblem(summary: PdfSummary): ExtractProblem | null {
	if (summary.encrypted) return "encrypted";
	const [finding] = summary.findings;
	if (finding) return finding;
	if (!summary.opens) return "damaged";
	if (summary.pages < 1) return "no-page";
	return summary.pages > maxPages ? "too-many-pages" : null;
}

/** Finds company and date in the text of a PDF. */
export function examineText(text: string, { siren, specimens = false }: OrderedExtract): ExtractFacts {
	const readable = (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= fewestLetters;
	const own = findCompanySiren(text);
	const sirens = [...new Set([...(own === null ? [] : [own]), ...listSirens(text)])];
	const facts: ExtractFacts = { problem: null, readable, siren: own, sirens, issueDate: findIssueDate(text), pages: 1 };
	if (!readable) return facts;
	if (!specimens && /SPECIMEN\s+—\s+SANS VALEUR/.test(text)) return { ...facts, problem: "specimen" };
	if (siren === null) return facts;
	if (own !== null && own !== siren) return { ...facts, problem: "other-company" };
	return containsSiren(text, siren) ? facts : { ...facts, problem: "no-siren" };
}
