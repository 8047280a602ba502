import { type PDFDict, PDFHexString, PDFName, type PDFObject, PDFRef, PDFStream, PDFString } from "pdf-lib";
import { has, listDictionaries, listInside, listNames, listUnder, type PdfObjects, readObjects } from "./pdf-objects.server.ts";
import type { PdfFinding } from "./pdf-summary.ts";

/** The active content of a PDF, as its objects say. Words in strings, page contents and names of resources are none. */
export interface PdfScan {
	/** The most telling first. */
	findings: PdfFinding[];
	encrypted: boolean;
	/** OpenAction entries whose action is not among the objects. */
	openActions: number;
}

/** The actions that no extract needs, and null for the others (ISO 32000-2, table 201). */
const actions: ReadonlyMap<string, PdfFinding | null> = new Map([
	["JavaScript", "script"],
	["Launch", "launch"],
	["GoToR", "launch"],
	["GoToE", "launch"],
	["SubmitForm", "form-sending"],
	["ImportData", "form-sending"],
	...["Sound", "Movie", "Rendition", "RichMediaExecute", "GoTo3DView"].map((kind) => [kind, "media"] as const),
	...["GoTo", "GoToDp", "Hide", "Named", "ResetForm", "SetOCGState", "Thread", "Trans", "URI"].map((kind) => [kind, null] as const),
]);

/** Actions that may run when a file is opened: a page to show, a command of the viewer such as printing. */
const openingActions: readonly string[] = ["GoTo", "Named"];

/** The annotations that no extract needs (ISO 32000-2, table 171). */
export const activeAnnotations: ReadonlyMap<string, PdfFinding> = new Map([
	["FileAttachment", "attachment"],
	["RichMedia", "media"],
	["Screen", "media"],
	["Movie", "media"],
	["Sound", "media"],
	["3D", "media"],
]);

const tellingOrder: readonly PdfFinding[] = [
	"inflation",
	"script",
	"launch",
	"form-sending",
	"attachment",
	"media",
	"xfa",
	"automatic-action",
	"hidden-objects",
];

export function scanPdf(bytes: Uint8Array): PdfScan {
	const objects = readObjects(bytes);
	const found = new Set(objects.findings);
	let encrypted = false;
	let openActions = 0;
	for (const dictionary of objects.all.flatMap((object) => [...listInside(object)])) {
		for (const finding of examine(objects, dictionary)) found.add(finding);
		// of a trailer, or of the stream in its place
		encrypted ||= has(dictionary, "Encrypt") && has(dictionary, "Root");
		if (dictionary.get(PDFName.of("OpenAction")) instanceof PDFRef && listUnder(objects, dictionary, "OpenAction").length === 0)
			openActions++;
	}
	return { findings: tellingOrder.filter((finding) => found.has(finding)), encrypted, openActions };
}

/** The active content that a dictionary is, or says to run by itself (ISO 32000-2, 7.11.4, 12.5.6, 12.6, 12.7.3). */
function* examine(objects: PdfObjects, dictionary: PDFDict): Generator<PdfFinding> {
	for (const action of listNames(objects, dictionary, "S")) {
		// of two /S readers take the first or the last
		const finding = actions.get(action) ?? (has(dictionary, "JS") ? "script" : null);
		if (finding) yield finding;
		if (action === "URI" && listUnder(objects, dictionary, "URI").some((uri) => !isHarmlessAddress(readText(uri)))) yield "launch";
	}
	for (const subtype of listNames(objects, dictionary, "Subtype")) {
		const finding = activeAnnotations.get(subtype);
		if (finding) yield finding;
	}
	if (listNames(objects, dictionary, "Type").includes("EmbeddedFile")) yield "attachment";
	// a font or a picture may have the names below too: what they lead to tells
	const files = listDictionaries(objects, dictionary, "EF");
	if (files.some((file) => ["F", "UF", "DOS", "Mac", "Unix"].some((key) => has(file, key)))) yield "attachment";
	const forms = listUnder(objects, dictionary, "XFA");
	if (forms.some((form) => form instanceof PDFString || (form instanceof PDFStream && !has(form.dict, "Subtype")))) yield "xfa";
	const triggers = listDictionaries(objects, dictionary, "AA").flatMap((trigger) =>
		trigger.keys().flatMap((key) => listDictionaries(objects, trigger, key.decodeText())),
	);
	if (triggers.some((each) => listKinds(objects, each).length > 0)) yield "automatic-action";
	const opening = listDictionaries(objects, dictionary, "OpenAction").flatMap((each) => listKinds(objects, each));
	if (opening.some((kind) => !openingActions.includes(kind))) yield "automatic-action";
}

/** The kinds of an action and of those that follow it. */
function listKinds(objects: PdfObjects, action: PDFDict, seen = new Set<PDFDict>()): string[] {
	if (seen.has(action)) return [];
	seen.add(action);
	const kinds = listNames(objects, action, "S").filter((kind) => actions.has(kind));
	return [...kinds, ...listDictionaries(objects, action, "Next").flatMap((next) => listKinds(objects, next, seen))];
}

const readText = (value: PDFObject) => (value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : "");

/** Whether an address opens a page, a mail or a call: a program leaves out the blanks and control characters in it. */
export function isHarmlessAddress(address: string): boolean {
	const read = address.replace(/[\p{Cc}\s]/gu, "");
	const hasPort = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d{1,5}(?:\/|$)/i.test(read);
	const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(read)?.[0].toLowerCase();
	return hasPort || scheme === undefined ? !/^[\\/]/.test(read) : ["http", "https", "mailto", "tel", "fax", "sms"].includes(scheme);
}
