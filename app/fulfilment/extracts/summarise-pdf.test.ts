import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { extractLines, generatePdf, generateScan, stream } from "../../../test/fixtures/pdf.ts";
import type { PdfFinding } from "./pdf-summary.ts";
import { scanPdf } from "./scan-pdf.server.ts";
import { summarisePdf } from "./summarise-pdf.server.ts";

const script = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>";
/** Hides objects from the scan, which decompresses three levels: a reader decompresses all. */
const hideFromScan = (objects: string[], more: { catalog?: string; page?: string }) =>
	generatePdf({
		...more,
		packed: {
			objects,
			filter: `/Filter [${"/FlateDecode ".repeat(4)}]`,
			pack: (bytes) => deflateSync(deflateSync(deflateSync(deflateSync(bytes)))),
		},
	});

const actions = `/AA << /O ${script} /K ${script} >>`;
const attached = "<< /Names [(a) << /F (a) /EF << /F 4 0 R >> >>] >>";
const page = `<< /Type /Page /Parent 51 0 R /MediaBox [0 0 9 9] /Contents 4 0 R ${actions} /Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (a) >> >>] >>`;

/** Each kind of finding in each place. */
const hiddenFiles: [string, PdfFinding[], () => Uint8Array][] = [
	[
		"a script and a file by their names, an XFA form, a URL to open with the file, a film",
		["script", "attachment", "xfa", "automatic-action", "media"],
		() =>
			hideFromScan(
				[
					`<< /JavaScript << /Names [(a) ${script}] >> /EmbeddedFiles ${attached} >>`,
					"<< /Fields [] /XFA 4 0 R >>",
					"<< /S /URI /URI (http://127.0.0.1/) >>",
					"<< /Type /Annot /Subtype /Movie /Rect [0 0 9 9] >>",
				],
				{ catalog: "/Names 50 0 R /AcroForm 51 0 R /OpenAction 52 0 R", page: "/Annots [53 0 R]" },
			),
	],
	[
		"a script in a field, a portfolio of files, a link to a program",
		["script", "attachment", "launch"],
		() =>
			hideFromScan(
				[
					`<< /Type /Annot /Subtype /Widget /FT /Tx /T (t) /Rect [0 0 9 9] ${actions} >>`,
					"<< /Type /Collection >>",
					"<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (smb://evil/x.exe) >> >>",
				],
				{ catalog: "/AcroForm << /Fields [50 0 R] >> /Collection 51 0 R", page: "/Annots [52 0 R]" },
			),
	],
	[
		"a script when a page is shown, a file attached to it",
		["script", "attachment"],
		() => hideFromScan([page, "<< /Type /Pages /Count 1 /Kids [50 0 R] >>"], { catalog: "/Pages 51 0 R" }),
	],
];

describe("the parser finds what the scan cannot", () => {
	test.each(hiddenFiles)("%s", async (_, findings, make) => {
		expect(scanPdf(make()).findings).toEqual([]);
		expect((await summarisePdf(make())).findings).toEqual(findings);
	});
});

const drawn = (content: string, objects: (string | Buffer)[] = []) =>
	generatePdf({ content: { dictionary: "", bytes: Buffer.from(content) }, objects });
const write = (mode: string, letters: number) => `BT ${mode} /F1 9 Tf (${"~".repeat(letters)}) Tj ET`;
const form = (content: string) =>
	stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> >>", Buffer.from(content));

test.each<[string, boolean, Uint8Array]>([
	["no text", true, generateScan()],
	["text without ink", true, generateScan(extractLines())],
	["text that only clips", true, drawn(write("7 Tr", 50))],
	["outlined text", false, drawn(write("1 Tr", 50))],
	["49 letters", true, drawn(write("", 49))],
	["50 letters", false, drawn(write("", 50))],
	["49 letters with spaces set between them", true, drawn(`BT /F1 9 Tf [${"(~) 9 ".repeat(49)}] TJ ET`)],
	["25 letters on each of two pages", false, generatePdf({ pages: 2, lines: ["~".repeat(25)] })],
	["text without ink, then the same with ink", false, drawn(`q ${write("3 Tr", 9)} Q ${write("", 50)}`)],
	["text with ink, then more without", true, drawn(`${write("", 9)} q Q ${write("3 Tr", 50)}`)],
	["text in a form", false, drawn("/X Do", [form(write("", 50))])],
	["text after a form without ink", false, drawn(`/X Do ${write("", 50)}`, [form(write("3 Tr", 50))])],
])("a PDF with %s: a scan is %s", async (_what, isScan, bytes) => {
	expect(await summarisePdf(bytes)).toMatchObject({ opens: true, isScan });
});

const annotate = (dictionary: string) =>
	hideFromScan([`<< /Type /Annot /Rect [0 0 9 9] /L [0 0 9 9] /QuadPoints [0 0 9 0 0 9 9 9] ${dictionary} >>`], {
		page: "/Annots [50 0 R]",
	});

test.each<[string, PdfFinding[]]>([
	...["Text", "FreeText", "Popup", "Stamp", "Highlight", "Underline", "Line", "Square"].map((kind): [string, PdfFinding[]] => [
		`/${kind}`,
		[],
	]),
	["/Circle", []],
	["/Movie", ["media"]],
	...["http:", "https:", "HTTPS:", "mailto:", "tel:"].map((scheme): [string, PdfFinding[]] => [
		`/Link /A << /S /URI /URI (${scheme}//a@example.fr) >>`,
		[],
	]),
	...["file:", "smb:", "ldap://http:"].map((scheme): [string, PdfFinding[]] => [
		`/Link /A << /S /URI /URI (${scheme}//example.fr) >>`,
		["launch"],
	]),
	["/Link", []],
	["/Widget /FT /Tx /T (t)", []],
])("the annotation %s has the findings %j", async (subtype, findings) => {
	expect(await summarisePdf(annotate(`/Subtype ${subtype}`))).toMatchObject({ opens: true, findings });
});

test("a file that does not open says nothing", async () => {
	expect(await summarisePdf(Buffer.from("%PDF-1.7\nnothing"))).toEqual({
		...{ encrypted: false, findings: [], opens: false, pages: 0, text: "", isScan: false },
	});
});

test("the text has the lines of each page", async () => {
	expect(await summarisePdf(generatePdf({ lines: ["Un", "Deux"], pages: 2 }))).toEqual({
		...{ encrypted: false, findings: [], opens: true, pages: 2, text: "Un\nDeux\nUn\nDeux\n", isScan: true },
	});
});

test("of more than fifty pages no text is read", async () => {
	expect(await summarisePdf(generatePdf({ lines: ["Extrait"], pages: 51 }))).toMatchObject({ opens: true, pages: 51, text: "" });
	expect((await summarisePdf(generatePdf({ lines: ["Extrait"], pages: 50 }))).text).toContain("Extrait");
});
