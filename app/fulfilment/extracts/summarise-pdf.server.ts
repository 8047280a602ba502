import type { PDFDocumentProxy, PDFPageProxy } from "unpdf/pdfjs";
import { fewestLetters, maxPages, maxTextLength, type PdfFinding, type PdfSummary } from "./pdf-summary.ts";
import { activeAnnotations, isHarmlessAddress, scanPdf } from "./scan-pdf.server.ts";

/** Reads a PDF in this process. A hostile file may take all of its time and memory: inspectPdf reads it in a confined one. */
export async function summarisePdf(bytes: Uint8Array): Promise<PdfSummary> {
	const { findings, encrypted, openActions } = scanPdf(bytes);
	const unopened = { encrypted, findings, opens: false, pages: 0, text: "", isScan: false };
	if (encrypted || findings.length > 0) return unopened;
	const { getDocument } = await import("unpdf/pdfjs");
	try {
		const document = await getDocument({
			data: new Uint8Array(bytes), // pdf.js takes the buffer away
			verbosity: 0,
			useSystemFonts: false,
			disableFontFace: true,
			useWasm: false,
			useWorkerFetch: false,
			isOffscreenCanvasSupported: false,
			enableXfa: false,
			maxImageSize: 0, // pictures cost time and memory, and say nothing here
		}).promise;
		return await inspectDocument(document, openActions);
	} catch (error) {
		return { ...unopened, encrypted: error instanceof Error && error.name === "PasswordException" };
	}
}

interface PdfInfo {
	IsCollectionPresent?: unknown;
	IsXFAPresent?: unknown;
	EncryptFilterName?: unknown;
}

/** Checks the document as a reader shows it, after the scan of its objects. */
async function inspectDocument(document: PDFDocumentProxy, openActions: number): Promise<PdfSummary> {
	const findings: PdfFinding[] = [];
	const { info }: { info: PdfInfo } = await document.getMetadata();
	// not hasJSActions(), which is true for any signature (pdf.js 6.1)
	const fields = Object.values((await document.getFieldObjects()) ?? {}).flat();
	if ((await document.getJSActions()) || fields.some((field) => "actions" in field && field.actions)) findings.push("script");
	if ((await document.getAttachments()) || info.IsCollectionPresent) findings.push("attachment");
	if (info.IsXFAPresent) findings.push("xfa");
	if (openActions > 0 && !Array.isArray((await document.getOpenAction())?.dest)) findings.push("automatic-action");
	const pages = document.numPages;
	let text = "";
	let shown = 0;
	for (let number = 1; number <= pages && pages <= maxPages && text.length < maxTextLength; number++) {
		const page = await document.getPage(number);
		if (await page.getJSActions()) findings.push("script");
		for (const { subtype, unsafeUrl } of await page.getAnnotations({ intent: "any" })) {
			const active = activeAnnotations.get(subtype);
			if (active) findings.push(active);
			if (unsafeUrl && !isHarmlessAddress(unsafeUrl)) findings.push("launch");
		}
		const { items } = await page.getTextContent();
		text += `${items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("")}\n`;
		if (shown < fewestLetters) shown += await countShownLetters(page);
	}
	return {
		encrypted: Boolean(info.EncryptFilterName),
		findings: [...new Set(findings)],
		opens: true,
		pages,
		text: text.slice(0, maxTextLength),
		isScan: shown < fewestLetters,
	};
}

/** Text that is drawn without ink: a scanner puts the words that it recognised under its picture (ISO 32000-2, 9.3.6). */
const invisibleModes: readonly unknown[] = [3, 7];

/** Counts the letters that a page draws, also those of a font whose text cannot be read. */
async function countShownLetters(page: PDFPageProxy): Promise<number> {
	const { OPS } = await import("unpdf/pdfjs");
	const begins: readonly number[] = [OPS.save, OPS.paintFormXObjectBegin];
	const ends: readonly number[] = [OPS.restore, OPS.paintFormXObjectEnd];
	const { fnArray, argsArray } = await page.getOperatorList();
	let count = 0;
	let mode: unknown = 0;
	const outer: unknown[] = [];
	for (const [index, operator] of fnArray.entries()) {
		const [argument]: unknown[] = argsArray[index] ?? [];
		if (begins.includes(operator)) outer.push(mode);
		else if (ends.includes(operator)) mode = outer.pop();
		else if (operator === OPS.setTextRenderingMode) mode = argument;
		else if (operator === OPS.showText && !invisibleModes.includes(mode) && Array.isArray(argument))
			count += argument.filter((glyph) => typeof glyph === "object").length;
	}
	return count;
}
