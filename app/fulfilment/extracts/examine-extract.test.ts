import { buffer } from "node:stream/consumers";
import { createDeflate, deflateRawSync, deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import { describe, expect, test } from "vitest";
import { extractLines, generatePdf, generateScan, illegibleLine, stream } from "../../../test/fixtures/pdf.ts";
import type { Siren } from "../../companies/siren.ts";
import { specimenIssuer } from "../issuers/specimen-issuer.server.ts";
import { type ExaminerContext, examineExtract, examineText } from "./examine-extract.server.ts";
import { extractProblems, extractWarnings } from "./extract-sentences.ts";
import { inspectPdf } from "./inspect-pdf.server.ts";
import { type Confirmations, type ExtractProblem, judgeExtract } from "./judge-extract.ts";
import { summarisePdf } from "./summarise-pdf.server.ts";

const siren = "552032534" as Siren;
const now = new Date("2026-11-21T11:00:00Z"); // noon in Paris
// without a process for each file; a test below proves that the process says the same
const context = { inspectPdf: summarisePdf, environment: { production: true } };
const demo = { ...context, environment: { production: false } };
const check = async (bytes: Uint8Array, confirmed?: Confirmations, examiner: ExaminerContext = context) =>
	judgeExtract(await examineExtract(examiner, bytes), { siren, now, confirmed });
const toBytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const append = (bytes: Uint8Array, more: string) => new Uint8Array(Buffer.concat([bytes, Buffer.from(more, "latin1")]));
const createDatedPdf = (words: string) => generatePdf({ lines: extractLines({ dated: words }) });
const createPdfWithSiren = (number: string) => generatePdf({ lines: extractLines({ siren: number }) });

/** Creates a PDF of an extract with pdfkit. */
async function createPdfWithPdfkit(
	options: PDFKit.PDFDocumentOptions = {},
	add: (document: PDFKit.PDFDocument) => void = () => {},
): Promise<Uint8Array> {
	const document = new PDFDocument(options);
	const chunks: Buffer[] = [];
	document.on("data", (chunk: Buffer) => chunks.push(chunk));
	for (const line of extractLines()) document.text(line);
	add(document);
	document.end();
	await new Promise<void>((done) => document.on("end", () => done()));
	return new Uint8Array(Buffer.concat(chunks));
}

const script = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>";
const deflated = { filter: "/Filter /FlateDecode", pack: (bytes: Buffer) => deflateSync(bytes) };
const annotation = (dictionary: string) => generatePdf({ page: `/Annots [<< /Type /Annot /Rect [0 0 9 9] ${dictionary} >>]` });
const encodeHex = (bytes: Buffer) => Buffer.from(`${bytes.toString("hex")}>`);
const zip = "PK\x03\x04file PK\x01\x02file PK\x05\x06\0\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0";
/** Each form draws the next one ten times: 10^20 lines of text. */
const nestedForms = Array.from({ length: 20 }, (_, level) =>
	stream(
		`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${11 + level} 0 R >> >>`,
		Buffer.from(level === 19 ? "BT /F1 9 Tf (ha) Tj ET" : "/X Do ".repeat(10)),
	),
);
const createNestedPdf = () => generatePdf({ content: { dictionary: "", bytes: Buffer.from("/X Do") }, objects: nestedForms });

const refusedFiles: [string, ExtractProblem, () => Uint8Array | Promise<Uint8Array>][] = [
	["nothing", "empty", () => new Uint8Array(0)],
	["a text", "not-pdf", () => toBytes("Extrait Kbis 552 032 534")],
	["a page of HTML with the name of a PDF", "not-pdf", () => toBytes("<!doctype html><title>Erreur 500</title>")],
	["a photo from a telephone (JPEG)", "photo", () => toBytes("\xff\xd8\xff\xe1\0\x10Exif")],
	["a picture of the screen (PNG)", "photo", () => toBytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR")],
	["a photo from a telephone (HEIC)", "other-picture", () => toBytes("\0\0\0\x24ftypheic\0\0\0\0")],
	["a picture of a page (GIF)", "other-picture", () => toBytes("GIF89a")],
	["something before the PDF", "not-pdf", () => toBytes(`Kbis\n${Buffer.from(generatePdf()).toString("latin1")}`)],
	["more than ten megabytes", "too-large", () => append(generatePdf(), " ".repeat(10 * 2 ** 20))],
	["a PDF cut in the middle", "truncated", () => generatePdf().subarray(0, 700)],
	["a PDF without its last bytes", "truncated", () => generatePdf().subarray(0, -10)],
	["a PDF without startxref", "truncated", () => toBytes(Buffer.from(generatePdf()).toString("latin1").replace("startxref", ""))],
	["a PDF that is also a ZIP", "more-than-pdf", () => append(generatePdf(), zip)],
	["a ZIP whose end looks like a PDF's", "more-than-pdf", () => append(generatePdf(), `${zip}\n%%EOF`)],
	["a ZIP with a comment of the maximum length", "more-than-pdf", () => append(generatePdf(), `${zip}${"\n".repeat(65_400)}%%EOF`)],
	["a PDF with a script after its end", "more-than-pdf", () => append(generatePdf(), "<script>alert(1)</script>")],
	["an empty PDF structure", "damaged", () => toBytes("%PDF-1.7\nnothing\nstartxref\n0\n%%EOF\n")],
	["a PDF with a password", "encrypted", () => createPdfWithPdfkit({ userPassword: "secret" })],
	["a PDF encrypted without a password", "encrypted", () => createPdfWithPdfkit({ ownerPassword: "secret" })],
	["a PDF without pages", "no-page", () => generatePdf({ pages: 0 })],
	["fifty-one pages", "too-many-pages", () => generatePdf({ pages: 51 })],
	["another company's extract", "other-company", () => createPdfWithSiren("732 829 320")],
	[
		"an extract without a SIREN",
		"no-siren",
		() => generatePdf({ lines: ["Extrait à jour au 21 novembre 2026", ..."Quatre lignes de texte qui ne disent rien".split(" ")] }),
	],
	[
		"another company's extract that names ours",
		"doubtful-company",
		() => generatePdf({ lines: [...extractLines({ siren: "732 829 320" }), "Président : 552 032 534 RCS Paris"] }),
	],
	["an extract of two days ago", "old", () => createDatedPdf("à jour au 19 novembre 2026")],
	["an extract of tomorrow", "future", () => createDatedPdf("à jour au 22 novembre 2026")],
	["an extract without a date", "undated", () => createDatedPdf("du commerce")],
	["a text that cannot be read", "unreadable", () => generatePdf({ lines: [illegibleLine] })],
	["a scan", "scan", () => generateScan()],
	["a scan with text that was recognised", "scan", () => generateScan(extractLines())],
	["JavaScript when it opens", "script", () => generatePdf({ catalog: `/OpenAction ${script}` })],
	[
		"JavaScript among the names",
		"script",
		() => generatePdf({ catalog: "/Names << /JavaScript << /Names [(a) 10 0 R] >> >>", objects: [script] }),
	],
	["JavaScript on a link", "script", () => annotation(`/Subtype /Link /A ${script}`)],
	["JavaScript in an encoded name", "script", () => generatePdf({ catalog: "/OpenAction << /S /J#61vaScrip#74 /#4a#53 (1) >>" })],
	["JavaScript without a reference to it", "script", () => generatePdf({ objects: [script] })],
	[
		"JavaScript in a stream of objects",
		"script",
		() => generatePdf({ catalog: "/OpenAction 50 0 R", packed: { objects: [script], ...deflated } }),
	],
	[
		"JavaScript in a stream of objects declared as a picture",
		"script",
		() => generatePdf({ packed: { objects: [script], ...deflated, type: "XObject" } }),
	],
	[
		"JavaScript in a stream of objects deflated twice",
		"script",
		() =>
			generatePdf({
				packed: { objects: [script], filter: "/Filter [/FlateDecode /FlateDecode]", pack: (bytes) => deflateSync(deflateSync(bytes)) },
			}),
	],
	[
		"JavaScript in a stream of objects with a wrong checksum",
		"script",
		() =>
			generatePdf({
				packed: {
					objects: [script],
					...deflated,
					pack: (bytes) => Buffer.concat([Buffer.from([0x78, 0x9c]), deflateRawSync(bytes), Buffer.from("lies")]),
				},
			}),
	],
	[
		"a stream of objects with an unusual filter",
		"hidden-objects",
		() => generatePdf({ packed: { objects: ["<< /A 1 >>"], filter: "/Filter /ASCIIHexDecode", pack: encodeHex } }),
	],
	[
		"a stream of objects that does not decompress",
		"hidden-objects",
		() => generatePdf({ packed: { objects: ["<< /A 1 >>"], ...deflated, pack: () => Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]) } }),
	],
	["JavaScript inside a stream's bytes", "script", () => generatePdf({ objects: [stream("", Buffer.from(`60 0 obj ${script} endobj`))] })],
	["an action when a page is shown", "automatic-action", () => generatePdf({ page: "/AA << /O << /S /Named /N /NextPage >> >>" })],
	["a URL to open with the file", "automatic-action", () => generatePdf({ catalog: "/OpenAction << /S /URI /URI (http://127.0.0.1/) >>" })],
	["a program to start", "launch", () => generatePdf({ catalog: "/OpenAction << /S /Launch /F (calc.exe) >>" })],
	["another file to open", "launch", () => annotation("/Subtype /Link /A << /S /GoToR /F (other.pdf) /D [0 /Fit] >>")],
	["a link to a local file", "launch", () => annotation("/Subtype /Link /A << /S /URI /URI (file:///etc/passwd) >>")],
	["an embedded file", "attachment", () => createPdfWithPdfkit({}, (document) => document.file(Buffer.from("hello"), { name: "a.txt" }))],
	["a file attached to the page", "attachment", () => annotation("/Subtype /FileAttachment /FS << /Type /Filespec /F (a) >>")],
	["an embedded file specification", "attachment", () => generatePdf({ objects: ["<< /F (a) /EF << /F 11 0 R >> >>"] })],
	["a film", "media", () => annotation("/Subtype /RichMedia")],
	["a screen", "media", () => annotation("/Subtype /Screen")],
	["a form that sends data", "form-sending", () => annotation("/Subtype /Widget /A << /S /SubmitForm /F (http://127.0.0.1/) >>")],
	[
		"an XFA form",
		"xfa",
		() => generatePdf({ catalog: "/AcroForm << /Fields [] /XFA 10 0 R >>", objects: [stream("", Buffer.from("<xdp/>"))] }),
	],
	[
		"a decompression bomb",
		"inflation",
		() => generatePdf({ content: { dictionary: "/Filter /FlateDecode", bytes: deflateSync(Buffer.alloc(130 * 2 ** 20), { level: 1 }) } }),
	],
	["our specimen", "specimen", () => createSpecimenPdf()],
];

async function createSpecimenPdf(): Promise<Uint8Array> {
	const order = { orderId: "o", orderNumber: "KB-0000-0000", siren, companyName: "ESSAI", paidAt: now, line: 1 };
	const result = await specimenIssuer(() => now).result(order);
	return result.state === "ready" ? result.pdf : new Uint8Array();
}

describe("refuses", () => {
	test.each(refusedFiles)("%s: %s", async (_, problem, make) => {
		expect(await check(await make())).toMatchObject({ ok: false, code: problem });
		expect(extractProblems[problem]).toMatch(/^(?:Ce|Cet|Cette|Le|La) .+\.$/);
	});

	test("a file that takes for ever to parse is stopped", async () => {
		expect(await inspectPdf(createNestedPdf(), 3000)).toBeNull();
	});

	test("a file that fills the memory when it is parsed is stopped and refused", async () => {
		const packing = createDeflate({ level: 1 });
		const packed = buffer(packing);
		const block = Buffer.alloc(10 * 2 ** 20, "q Q ");
		for (let written = 0; written < 80; written++) await new Promise((done) => packing.write(block, done));
		packing.end();
		const content = { dictionary: "/Filter [/ASCIIHexDecode /FlateDecode]", bytes: encodeHex(await packed) };
		// the time limit is so long that only the memory limit can stop it
		const inspector = { ...context, inspectPdf: (bytes: Uint8Array) => inspectPdf(bytes, 600_000) };
		const checked = await check(generatePdf({ content }), { unreadable: true }, inspector);
		expect(checked).toMatchObject({ code: "heavy", confirm: null });
	});
});

test.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
	["an extract", () => generatePdf()],
	["a file with a password", () => createPdfWithPdfkit({ userPassword: "secret" })],
	["a scan", () => generateScan()],
	["no PDF", () => toBytes("%PDF-1.7\nnothing\nstartxref\n0\n%%EOF\n")],
])("the shop's own inspector, a process, says the same of %s", async (_, make) => {
	const bytes = await make();
	expect(await inspectPdf(bytes)).toEqual(await summarisePdf(bytes));
});

const acceptedFiles: [string, string, () => Uint8Array | Promise<Uint8Array>][] = [
	["a day in letters", "2026-11-20T23:00:00Z", () => createDatedPdf("à jour au 21 novembre 2026")],
	["a day and an hour", "2026-11-21T09:32:00Z", () => createDatedPdf("à jour au 21 novembre 2026 à 10 h 32")],
	["yesterday, less than a day ago", "2026-11-20T11:01:00Z", () => createDatedPdf("à jour au 20/11/2026 12:01:30")],
	["objects packed in a stream", "2026-11-20T23:00:00Z", () => generatePdf({ packed: { objects: ["<< /Title (a) >>"], ...deflated } })],
	["a page to open at", "2026-11-20T23:00:00Z", () => generatePdf({ catalog: "/OpenAction 10 0 R", objects: ["[3 0 R /Fit]"] })],
	["a link, a signature", "2026-11-20T23:00:00Z", () => createSignedPdf()],
	["a PDF of another library, deflated", "2026-11-20T23:00:00Z", () => createPdfWithPdfkit()],
	["fifty pages", "2026-11-20T23:00:00Z", () => generatePdf({ pages: 50 })],
	["ten megabytes", "2026-11-20T23:00:00Z", () => append(generatePdf(), " ".repeat(10 * 2 ** 20 - generatePdf().length))],
	[
		"annotations on a page, and an update appended to the file",
		"2026-11-20T23:00:00Z",
		() => append(createAnnotatedPdf(), getTrailer(createAnnotatedPdf())),
	],
	[
		"words about scripts",
		"2026-11-20T23:00:00Z",
		() => generatePdf({ lines: [...extractLines(), "Activité : sites /JS /AA et sociétés/EF"] }),
	],
];

/** Returns the end of a PDF, from startxref. */
const getTrailer = (pdf: Uint8Array) =>
	Buffer.from(pdf)
		.toString("latin1")
		.replace(/[\s\S]*(?=startxref)/, "");

const createAnnotatedPdf = () => {
	const kinds = ["Text", "FreeText", "Popup", "Stamp", "Highlight", "Underline", "Line", "Square"];
	const marks = kinds.map((kind) => `<< /Type /Annot /Subtype /${kind} /Rect [0 0 9 9] /L [0 0 9 9] /QuadPoints [0 0 9 0 0 9 9 9] >>`);
	return generatePdf({ page: `/Annots [${marks.join(" ")}]` });
};

const createSignedPdf = () =>
	generatePdf({
		catalog: "/AcroForm << /SigFlags 3 /Fields [10 0 R] >>",
		page: "/Annots [10 0 R << /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://www.example.fr/) >> >>]",
		objects: [
			"<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 0 0] /V 11 0 R >>",
			"<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Contents <00> /ByteRange [0 1 2 3] >>",
		],
	});

describe("accepts", () => {
	test.each(acceptedFiles)("%s: issued at %s", async (_, issuedAt, make) => {
		expect(await check(await make())).toMatchObject({ ok: true, issuedAt: new Date(issuedAt) });
	});

	test("a specimen prints its date", async () => {
		expect((await inspectPdf(await createSpecimenPdf()))?.text).toContain("Produit le 21 novembre 2026");
	});

	test("accepts a specimen in a shop that delivers specimens, with a confirmed date", async () => {
		const pdf = await createSpecimenPdf();
		expect(await check(pdf, {}, demo)).toMatchObject({ code: "undated", confirm: "issuedAt" });
		expect(await check(pdf, { issuedAt: now }, demo)).toMatchObject({ ok: true });
	});
});

describe("the facts of a file", () => {
	test("name the company and the date, whatever the file is for", async () => {
		const facts = await examineExtract(context, createPdfWithSiren("732 829 320"));
		expect(facts).toMatchObject({ problem: null, readable: true, siren: "732829320", sirens: ["732829320"], pages: 1 });
		expect(facts.issueDate).toEqual({ at: new Date("2026-11-20T23:00:00Z"), hasHour: false });
	});

	test("of a scan are only its pages, and of an unsafe file its problem", async () => {
		const nothing = { readable: false, siren: null, sirens: [], issueDate: null };
		expect(await examineExtract(context, generatePdf({ lines: ["1/1"], pages: 3 }))).toMatchObject({
			...nothing,
			problem: null,
			pages: 3,
		});
		expect(await examineExtract(context, generatePdf({ objects: [script] }))).toMatchObject({
			...nothing,
			problem: "script",
			pages: 0,
		});
	});
});

describe("confirmations of the operator", () => {
	const oldPdf = createDatedPdf("à jour au 3 novembre 2026");
	const illegiblePdf = generatePdf({ lines: [illegibleLine] });
	const undatedPdf = createDatedPdf("du commerce");
	const hourAgo = new Date(now.getTime() - 3_600_000);

	test("an old extract is accepted with a confirmation and a warning", async () => {
		expect(await check(oldPdf)).toMatchObject({ ok: false, confirm: "old" });
		const confirmed = await check(oldPdf, { old: true });
		expect(confirmed).toMatchObject({ ok: true, issuedAt: new Date("2026-11-02T23:00:00Z") });
		expect(confirmed.ok && confirmed.warnings.map((code) => extractWarnings[code])).toContain(
			"Cet extrait a plus d’un jour : vous avez confirmé qu’il convient.",
		);
	});

	test("an undated extract is accepted with a given date, which is checked as well", async () => {
		expect(await check(undatedPdf)).toMatchObject({ ok: false, confirm: "issuedAt" });
		expect(await check(undatedPdf, { issuedAt: hourAgo })).toMatchObject({ ok: true, issuedAt: hourAgo });
		expect(await check(undatedPdf, { issuedAt: new Date("2026-11-01") })).toMatchObject({ code: "old" });
		expect(await check(undatedPdf, { issuedAt: new Date("2026-11-22") })).toMatchObject({ code: "future", confirm: null });
	});

	test("a given date does not replace the printed one", async () => {
		expect(await check(oldPdf, { issuedAt: hourAgo })).toMatchObject({ code: "old" });
	});

	test("a text that cannot be read is accepted with a confirmation and a date", async () => {
		expect(await check(illegiblePdf)).toMatchObject({ code: "unreadable", confirm: "unreadable" });
		expect(await check(illegiblePdf, { unreadable: true })).toMatchObject({ code: "undated" });
		expect(await check(illegiblePdf, { unreadable: true, issuedAt: hourAgo })).toMatchObject({ ok: true, issuedAt: hourAgo });
	});

	test.each(["other-company", "future", "script", "encrypted", "scan"])("no confirmation overrides the refusal « %s »", async (problem) => {
		const [, , make] = refusedFiles.find((row) => row[1] === problem) ?? [];
		const everything = { old: true, unreadable: true, issuedAt: hourAgo };
		expect(await check((await make?.()) ?? new Uint8Array(), everything)).toMatchObject({ ok: false, code: problem, confirm: null });
	});
});

describe("limits of the text checks", () => {
	const checkText = (text: string, confirmed: Confirmations = {}, specimens = false) =>
		judgeExtract(examineText(text, { specimens }), { siren, now, confirmed });
	const getProblem = (...how: Parameters<typeof checkText>) => {
		const result = checkText(...how);
		return result.ok ? null : result.code;
	};
	const text = (words: string) => extractLines({ dated: words }).join("\n");

	test.each([
		["a day ago", -86_400_000, "old"],
		["a millisecond less", -86_399_999, null],
		["five minutes ahead, as far as the greffe's clock may be", 300_000, null],
		["a millisecond more", 300_001, "future"],
	])("issued %s", (_, milliseconds, problem) => {
		expect(getProblem(text("du commerce"), { issuedAt: new Date(now.getTime() + milliseconds) })).toBe(problem);
	});

	test("49 letters and digits are unreadable, fifty are a text", () => {
		expect(getProblem(`${"é1 ".repeat(24)}a - …`)).toBe("unreadable");
		expect(getProblem(`${"é1 ".repeat(25)} - …`)).toBe("no-siren");
	});

	test("refuses a specimen, even with a line break, unless specimens are delivered", () => {
		expect(getProblem(`SPECIMEN\n— SANS VALEUR\n${text("à jour au 21 novembre 2026")}`)).toBe("specimen");
		expect(getProblem(`SPÉCIMEN — SANS VALEUR ${text("à jour au 21 novembre 2026")}`)).toBe("specimen");
		expect(getProblem(`SPECIMEN — SANS VALEUR\n${text("à jour au 21 novembre 2026")}`, {}, true)).toBeNull();
	});

	test("warns the operator about confirmed points, and that a day without an hour counts from midnight", () => {
		const listWarnings = (...how: Parameters<typeof checkText>) => {
			const result = checkText(...how);
			return result.ok && result.warnings.map((code) => extractWarnings[code]);
		};
		expect(listWarnings(text("à jour au 21 novembre 2026 à 10 h 32"))).toEqual([]);
		expect(listWarnings(text("à jour au 21 novembre 2026"))).toEqual([
			"L’extrait porte un jour sans heure : son âge est compté depuis minuit.",
		]);
		expect(listWarnings(text("du commerce"), { issuedAt: now })).toEqual(["La date de délivrance est celle que vous avez indiquée."]);
		const listConfirmed = (...how: Parameters<typeof checkText>) => {
			const result = checkText(...how);
			return result.ok && result.confirmed;
		};
		const everything = { unreadable: true, issuedAt: new Date("2026-11-01"), old: true };
		expect(listConfirmed(text("à jour au 21 novembre 2026 à 10 h 32"), everything)).toEqual([]);
		expect(listConfirmed(text("à jour au 3 novembre 2026"), everything)).toEqual(["old"]);
		expect(listConfirmed(text("du commerce"), { ...everything, issuedAt: now })).toEqual(["issuedAt"]);
		expect(listConfirmed("1/1", { ...everything, issuedAt: now })).toEqual(["unreadable", "issuedAt"]);
		expect(listWarnings("1/1", { unreadable: true, issuedAt: new Date("2026-11-01"), old: true })).toEqual([
			"Le texte n’est pas lisible : le SIREN et la date sont ceux que vous avez vérifiés.",
			"La date de délivrance est celle que vous avez indiquée.",
			"Cet extrait a plus d’un jour : vous avez confirmé qu’il convient.",
		]);
	});
});

// R206
test.each([
	["without a letter", undefined, "photo"],
	["by e-mail", false, "photo"],
	["of a letter", true, "unreadable"],
])("the PDF of a photo %s", (_what, takesPictures, code) => {
	const facts = { ...examineText(""), isPhoto: true };
	expect(judgeExtract(facts, { siren, now, ...(takesPictures !== undefined && { takesPictures }) })).toMatchObject({ ok: false, code });
	expect(judgeExtract({ ...facts, isPhoto: false }, { siren, now, takesPictures: false })).toMatchObject({ code: "unreadable" });
	expect(judgeExtract({ ...facts, problem: "picture" }, { siren, now, takesPictures: true })).toMatchObject({ code: "picture" });
});
