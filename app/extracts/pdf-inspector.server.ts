// A program of its own, started by inspect-pdf.server.ts for one file: reads a PDF from standard input, writes its facts as JSON.
// A file made to hang or to fill the memory only ends this process. Its argument is how long it may compute, in milliseconds.
import { buffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { longestText, mostPages, type PdfFinding, type PdfSummary } from "./pdf-summary.ts";
import { scanPdf } from "./scan-pdf.server.ts";

const mostMemory = 512 * 2 ** 20; // bytes; V8's own limit does not count the buffers that a file unpacks into
const longest = Number(process.argv[2]);

/** Kinds of annotation that an extract may have: links, a signature's field, and what is drawn on a page. */
const harmlessAnnotations = new Set(["Link", "Widget", "Text", "FreeText", "Popup", "Stamp", "Highlight", "Underline", "Line", "Square"]);

// computing time, not the clock's: on a busy machine a good file takes longer too
const watch = `setInterval(() => {
	const { user, system } = process.cpuUsage();
	if (process.memoryUsage.rss() > ${mostMemory} || user + system > ${longest * 1000}) process.kill(process.pid, "SIGKILL");
}, 10)`;
new Worker(watch, { eval: true }).unref();

const facts = await inspect(new Uint8Array(await buffer(process.stdin)));
process.stdout.write(JSON.stringify(facts), () => process.exit());

async function inspect(bytes: Uint8Array): Promise<PdfSummary> {
	const { findings, encrypted, openActions } = scanPdf(bytes);
	const closed = { encrypted, findings: [...findings], opens: false, pages: 0, text: "" };
	if (encrypted || findings.size > 0) return closed;
	const { getDocument } = await import("unpdf/pdfjs");
	try {
		const document = await getDocument({
			data: bytes,
			verbosity: 0,
			useSystemFonts: false,
			disableFontFace: true,
			useWasm: false,
			useWorkerFetch: false,
			isOffscreenCanvasSupported: false,
			enableXfa: false,
		}).promise;
		return await lookInside(document, openActions);
	} catch (error) {
		return { ...closed, encrypted: error instanceof Error && error.name === "PasswordException" };
	}
}

/** The parser's own opinion, beside the scan's. */
async function lookInside(document: PDFDocumentProxy, openActions: number): Promise<PdfSummary> {
	const findings: PdfFinding[] = [];
	const info = (await document.getMetadata()).info as Record<string, unknown>;
	// not hasJSActions(): it says yes to any signature (pdf.js 6.1)
	const fields = Object.values((await document.getFieldObjects()) ?? {}).flat() as { actions?: unknown }[];
	if ((await document.getJSActions()) || fields.some(({ actions }) => actions)) findings.push("script");
	if ((await document.getAttachments()) || info.IsCollectionPresent) findings.push("attachment");
	if (info.IsXFAPresent) findings.push("xfa");
	if (openActions > 0 && !Array.isArray((await document.getOpenAction())?.dest)) findings.push("automatic-action");
	const pages = document.numPages;
	let text = "";
	for (let number = 1; number <= pages && pages <= mostPages && text.length < longestText; number++) {
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
		text: text.slice(0, longestText),
	};
}
