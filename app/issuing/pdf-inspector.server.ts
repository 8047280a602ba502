// A program of its own, started by inspect-pdf.server.ts for one file: reads a PDF from standard input, writes its facts as JSON.
// A file made to hang or to fill the memory only ends this process.
import { Worker } from "node:worker_threads";
import { getDocument, type PDFDocumentProxy } from "unpdf/pdfjs";
import { longestText, mostPages, type PdfFacts, type PdfFinding } from "./pdf-facts.ts";
import { scanPdf } from "./scan-pdf.server.ts";

const mostMemory = 512 * 2 ** 20; // bytes; V8's own limit does not count the buffers that a file unpacks into

/** Kinds of annotation that an extract may have: links, a signature's field, and what is drawn on a page. */
const harmlessAnnotations = new Set(["Link", "Widget", "Text", "FreeText", "Popup", "Stamp", "Highlight", "Underline", "Line", "Square"]);

new Worker(`setInterval(() => { if (process.memoryUsage.rss() > ${mostMemory}) process.kill(process.pid, "SIGKILL") }, 10)`, {
	eval: true,
}).unref();

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const facts = await inspect(new Uint8Array(Buffer.concat(chunks)));
process.stdout.write(JSON.stringify(facts), () => process.exit());

async function inspect(bytes: Uint8Array): Promise<PdfFacts> {
	const { findings, encrypted, openActions } = scanPdf(bytes);
	// the parser is not given what has been seen to be a bomb
	if (findings.has("inflation")) return { opens: true, encrypted, pages: 1, text: "", findings: [...findings] };
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
		const opened = await lookInside(document, openActions);
		return { ...opened, encrypted: encrypted || opened.encrypted, findings: [...new Set([...findings, ...opened.findings])] };
	} catch (error) {
		return { opens: false, encrypted: encrypted || (error as Error).name === "PasswordException" };
	}
}

async function lookInside(document: PDFDocumentProxy, openActions: number) {
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
		opens: true as const,
		encrypted: Boolean(info.EncryptFilterName),
		pages,
		text: text.slice(0, longestText),
		findings,
	};
}
