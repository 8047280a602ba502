import type { Siren } from "../companies/siren.ts";
import { findIssueDate, namesSiren, ownSiren } from "./extract-text.ts";
import { inspectPdf } from "./inspect-pdf.server.ts";
import { mostPages, type PdfFinding } from "./pdf-summary.ts";

export const largestExtract = 10 * 2 ** 20; // bytes

/** What the operator answers for, having looked at the file. */
export interface Confirmations {
	/** It may be delivered although it is more than a day old. */
	old?: boolean;
	/** Its text cannot be read by a machine; it is the right company's. */
	unreadable?: boolean;
	/** When it was issued, where its text does not say so. */
	issuedAt?: Date;
}

/** Why an extract is refused. */
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

/** What the operator answers for, or should know, of an extract that is taken. */
export type ExtractWarning = "unreadable" | "date-given" | "day-without-hour" | "old";

/** Problems that the operator may answer for, and how. */
const confirmable: Partial<Record<ExtractProblem, keyof Confirmations>> = { unreadable: "unreadable", undated: "issuedAt", old: "old" };

export type ExtractCheck =
	| { ok: true; issuedAt: Date; warnings: ExtractWarning[] }
	/** `confirm`: which confirmation would let it pass; null when none does. */
	| { ok: false; code: ExtractProblem; confirm: keyof Confirmations | null };

const day = 86_400_000; // milliseconds
const clockSkew = 300_000; // milliseconds by which the greffe's clock may be ahead of ours

/**
 * Checks an uploaded extract before anything is done with it: that it is one whole PDF that only shows pages, names the ordered company
 * (docs/rules.md, R22), and was issued less than a day ago. Where it bears a day without an hour, it counts from that day's start in Paris: today's passes.
 * @throws when the inspector of PDFs does not work.
 */
export async function checkExtract(
	bytes: Uint8Array,
	{ siren, now, specimens = false, confirmed = {} }: { siren: Siren; now: Date; specimens?: boolean; confirmed?: Confirmations },
): Promise<ExtractCheck> {
	const outside = problemOutside(bytes);
	if (outside) return refuse(outside);
	const facts = await inspectPdf(bytes);
	if (facts === null) return refuse("heavy");
	if (facts.encrypted) return refuse("encrypted");
	const [finding] = facts.findings;
	if (finding) return refuse(finding);
	if (!facts.opens) return refuse("damaged");
	if (facts.pages < 1) return refuse("no-page");
	if (facts.pages > mostPages) return refuse("too-many-pages");
	return checkExtractText(facts.text, { siren, now, specimens, confirmed });
}

/** What can be seen without opening it. */
function problemOutside(bytes: Uint8Array): ExtractProblem | null {
	if (bytes.byteLength === 0) return "empty";
	if (bytes.byteLength > largestExtract) return "too-large";
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!/^%PDF-[12]\.\d/.test(file.toString("latin1", 0, 8))) return "not-pdf";
	const end = file.lastIndexOf("%%EOF");
	if (end < 0 || !file.includes("startxref")) return "truncated";
	// a ZIP is read from its end: its directory may hide before ours
	if (!/^[\s\0]*$/.test(file.toString("latin1", end + 5)) || file.subarray(-66_000).includes("PK\x05\x06")) return "more-than-pdf";
	return null;
}

/** What the text of a whole PDF says: whose it is, and of when. */
export function checkExtractText(
	text: string,
	{ siren, now, specimens, confirmed }: { siren: Siren; now: Date; specimens: boolean; confirmed: Confirmations },
): ExtractCheck {
	const warnings: ExtractWarning[] = [];
	const readable = (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 50;
	if (readable) {
		if (!specimens && /SPECIMEN\s+—\s+SANS VALEUR/.test(text)) return refuse("specimen");
		const own = ownSiren(text);
		if (own !== null && own !== siren) return refuse("other-company");
		if (!namesSiren(text, siren)) return refuse("no-siren");
	} else {
		if (!confirmed.unreadable) return refuse("unreadable");
		warnings.push("unreadable");
	}

	const found = findIssueDate(text);
	const issuedAt = found?.at ?? confirmed.issuedAt;
	if (issuedAt === undefined) return refuse("undated");
	if (issuedAt.getTime() > now.getTime() + clockSkew) return refuse("future");
	if (!found) warnings.push("date-given");
	else if (!found.hourKnown) warnings.push("day-without-hour");
	if (now.getTime() - issuedAt.getTime() >= day) {
		if (!confirmed.old) return refuse("old");
		warnings.push("old");
	}
	return { ok: true, issuedAt, warnings };
}

const refuse = (code: ExtractProblem): ExtractCheck => ({ ok: false, code, confirm: confirmable[code] ?? null });
