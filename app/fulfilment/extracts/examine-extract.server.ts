import { maxExtractBytes } from "../../orders/documents/extract-size.ts";
import { findCompany, findIssueDate, isExtractText, listSirens } from "./extract-text.ts";
import type { InspectorContext } from "./inspect-pdf.server.ts";
import type { ExtractFacts, ExtractProblem } from "./judge-extract.ts";
import { fewestLetters, maxPages, type PdfSummary } from "./pdf-summary.ts";
import { isOtherPicture, isPhoto, isPhotoPdf } from "./photos/photo-header.ts";

/**
 * Finds all that a file says, in one pass of the inspector: it must be one complete PDF without active content.
 * @throws when the inspector of PDFs does not work.
 */
export async function examineExtract({ inspectPdf, environment }: ExaminerContext, bytes: Uint8Array): Promise<ExtractFacts> {
	const nothing: ExtractFacts = { problem: null, readable: false, siren: null, sirens: [], issueDate: null, pages: 0 };
	const fileProblem = findFileProblem(bytes);
	if (fileProblem) return { ...nothing, problem: fileProblem };
	const summary = await inspectPdf(bytes);
	if (summary === null) return { ...nothing, problem: "heavy" };
	const problem = findPdfProblem(summary);
	if (problem) return { ...nothing, problem, pages: summary.pages };
	const facts = { ...examineText(summary.text, { specimens: !environment.production }), pages: summary.pages };
	return summary.isScan ? { ...facts, isScan: true, ...(isPhotoPdf(bytes) && { isPhoto: true }) } : facts;
}

/** Production refuses the demo's specimens. */
export type ExaminerContext = InspectorContext & { environment: { production: boolean } };

/** Checks the bytes without parsing the PDF. */
function findFileProblem(bytes: Uint8Array): ExtractProblem | null {
	if (bytes.byteLength === 0) return "empty";
	if (bytes.byteLength > maxExtractBytes) return "too-large";
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = file.toString("latin1", 0, 1024);
	if (isPhoto(bytes)) return "picture";
	if (isOtherPicture(bytes)) return "other-picture";
	// a mark of UTF-8 or blank lines before the header, as some servers send them, harm no reader
	if (!/^(?:\xef\xbb\xbf)?[\s\0]*%PDF-[12]\.\d/.test(start)) return "not-pdf";
	const end = file.lastIndexOf("%%EOF");
	if (end < 0 || !file.includes("startxref")) return "truncated";
	// blanks, control characters and comments may follow; readers of ZIP start from the end, so an archive may hide in the file
	const isEnd = (line: string) => /^[\s\p{Cc}]*(?:%.*)?$/u.test(line);
	if (
		!file
			.toString("latin1", end + 5)
			.split(/[\r\n]/)
			.every(isEnd) ||
		file.subarray(-66_000).includes("PK\x05\x06")
	)
		return "more-than-pdf";
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

/** Finds companies and date in the text of a PDF. @param specimens whether the demo's are accepted. */
export function examineText(text: string, { specimens = false }: { specimens?: boolean } = {}): ExtractFacts {
	const readable = (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= fewestLetters;
	const { siren, registered } = findCompany(text);
	const facts: ExtractFacts = {
		problem: null,
		readable,
		siren,
		sirens: [...new Set([...registered, ...listSirens(text)])],
		issueDate: findIssueDate(text),
		pages: 1,
		...(!isExtractText(text) && { isOtherDocument: true }),
	};
	return readable && !specimens && /SP[EÉ]CIMEN\s+—\s+SANS VALEUR/.test(text) ? { ...facts, problem: "specimen" } : facts;
}
