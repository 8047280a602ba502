import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { maxPages, maxTextLength, type PdfFinding, type PdfSummary } from "./pdf-summary.ts";
import { scanPdf } from "./scan-pdf.server.ts";

/** The annotations that an extract may have: links, signature fields and drawings. */
const harmlessAnnotations = new Set(["Link", "Widget", "Text", "FreeText", "Popup", "Stamp", "Highlight", "Underline", "Line", "Square"]);

/** Reads a PDF in this process. A hostile file may take all of its time and memory: inspectPdf reads it in a confined one. */
export async function summarisePdf(bytes: Uint8Array): Promise<PdfSummary> {
	const { findings, encrypted, openActions } = scanPdf(bytes);
	const unopened = { encrypted, findings: [...findings], opens: false, pages: 0, text: "" };
	if (encrypted || findings.size > 0) return unopened;
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
		}).promise;
		return await inspectDocument(document, openActions);
	} catch (error) {
		return { ...unopened, encrypted: error instanceof Error && error.name === "PasswordException" };
	}
}

/** Checks the parsed document, after the scan of the bytes. */
async function inspectDocument(document: PDFDocumentProxy, openActions: number): Promise<PdfSummary> {
	const findings: PdfFinding[] = [];
	const info = (await document.getMetadata()).info as Record<string, unknown>;
	// not hasJSActions(), which is true for any signature (pdf.js 6.1)
	const fields = Object.values((await document.getFieldObjects()) ?? {}).flat() as { actions?: unknown }[];
	if ((await document.getJSActions()) || fields.some(({ actions }) => actions)) findings.push("script");
	if ((await document.getAttachments()) || info.IsCollectionPresent) findings.push("attachment");
	if (info.IsXFAPresent) findings.push("xfa");
	if (openActions > 0 && !Array.isArray((await document.getOpenAction())?.dest)) findings.push("automatic-action");
	const pages = document.numPages;
	let text = "";
	for (let number = 1; number <= pages && pages <= maxPages && text.length < maxTextLength; number++) {
		const page = await document.getPage(number);
		if (await page.getJSActions()) findings.push("script");
		for (const { subtype, unsafeUrl } of await page.getAnnotations({ intent: "any" })) {
			if (!harmlessAnnotations.has(subtype)) findings.push(subtype === "FileAttachment" ? "attachment" : "media");
			if (unsafeUrl && !/^(?:https?|mailto):/i.test(unsafeUrl)) findings.push("launch");
		}
		const { items } = await page.getTextContent();
		text += `${items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("")}\n`;
	}
	return {
		encrypted: Boolean(info.EncryptFilterName),
		findings: [...new Set(findings)],
		opens: true,
		pages,
		text: text.slice(0, maxTextLength),
	};
}
