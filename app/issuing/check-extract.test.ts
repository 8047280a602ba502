import { buffer } from "node:stream/consumers";
import { createDeflate, deflateRawSync, deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import { describe, expect, test } from "vitest";
import type { Siren } from "../companies/siren.ts";
import { type Confirmations, checkExtract, type ExtractProblem } from "./check-extract.server.ts";
import { inspectPdf } from "./inspect-pdf.server.ts";
import { extractLines, madeUpPdf, stream } from "./made-up-pdf.ts";
import { specimenIssuer } from "./specimen.server.ts";

const siren = "552032534" as Siren;
const now = new Date("2026-11-21T11:00:00Z"); // noon in Paris
const check = (bytes: Uint8Array, confirmed?: Confirmations) => checkExtract(bytes, { siren, now, confirmed });
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const after = (bytes: Uint8Array, more: string) => new Uint8Array(Buffer.concat([bytes, Buffer.from(more, "latin1")]));
const dated = (words: string) => madeUpPdf({ lines: extractLines({ dated: words }) });
const numbered = (number: string) => madeUpPdf({ lines: extractLines({ siren: number }) });

/** By pdfkit, with the lines of an extract. */
async function kitPdf(
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
const annotation = (dictionary: string) => madeUpPdf({ page: `/Annots [<< /Type /Annot /Rect [0 0 9 9] ${dictionary} >>]` });
const hex = (bytes: Buffer) => Buffer.from(`${bytes.toString("hex")}>`);
const zip = "PK\x03\x04file PK\x01\x02file PK\x05\x06\0\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0";
/** Forms that each draw the next one ten times: 10^20 lines of text. */
const laughter = Array.from({ length: 20 }, (_, level) =>
	stream(
		`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${11 + level} 0 R >> >>`,
		Buffer.from(level === 19 ? "BT /F1 9 Tf (ha) Tj ET" : "/X Do ".repeat(10)),
	),
);
const laughing = () => madeUpPdf({ content: { dictionary: "", bytes: Buffer.from("/X Do") }, objects: laughter });

const bad: [string, ExtractProblem, () => Uint8Array | Promise<Uint8Array>][] = [
	["nothing", "empty", () => new Uint8Array(0)],
	["a text", "not-pdf", () => bytesOf("Extrait Kbis 552 032 534")],
	["a page of HTML with the name of a PDF", "not-pdf", () => bytesOf("<!doctype html><title>Erreur 500</title>")],
	["something before the PDF", "not-pdf", () => bytesOf(`GIF89a${Buffer.from(madeUpPdf()).toString("latin1")}`)],
	["more than ten megabytes", "too-large", () => after(madeUpPdf(), " ".repeat(10 * 2 ** 20))],
	["one that was cut in the middle", "truncated", () => madeUpPdf().subarray(0, 700)],
	["one whose last bytes are missing", "truncated", () => madeUpPdf().subarray(0, -10)],
	["one that is also a ZIP", "more-than-pdf", () => after(madeUpPdf(), zip)],
	["a ZIP whose end looks like a PDF's", "more-than-pdf", () => after(madeUpPdf(), `${zip}\n%%EOF`)],
	["one with a script after its end", "more-than-pdf", () => after(madeUpPdf(), "<script>alert(1)</script>")],
	["a shell of a PDF", "damaged", () => bytesOf("%PDF-1.7\nnothing\nstartxref\n0\n%%EOF\n")],
	["one with a password", "encrypted", () => kitPdf({ userPassword: "secret" })],
	["one encrypted without a password", "encrypted", () => kitPdf({ ownerPassword: "secret" })],
	["none of its pages", "no-page", () => madeUpPdf({ pages: 0 })],
	["fifty-one pages", "too-many-pages", () => madeUpPdf({ pages: 51 })],
	["another company's", "other-company", () => numbered("732 829 320")],
	[
		"one without a SIREN",
		"no-siren",
		() => madeUpPdf({ lines: ["Extrait à jour au 21 novembre 2026", ..."Quatre lignes de texte qui ne disent rien".split(" ")] }),
	],
	[
		"another company's that names ours",
		"other-company",
		() => madeUpPdf({ lines: [...extractLines({ siren: "732 829 320" }), "Président : 552 032 534 RCS Paris"] }),
	],
	["one of two days ago", "old", () => dated("à jour au 19 novembre 2026")],
	["one of tomorrow", "future", () => dated("à jour au 22 novembre 2026")],
	["one without a date", "undated", () => dated("du commerce")],
	["a scan without text", "unreadable", () => madeUpPdf({ lines: ["1/1"] })],
	["JavaScript when it opens", "script", () => madeUpPdf({ catalog: `/OpenAction ${script}` })],
	[
		"JavaScript among the names",
		"script",
		() => madeUpPdf({ catalog: "/Names << /JavaScript << /Names [(a) 10 0 R] >> >>", objects: [script] }),
	],
	["JavaScript on a link", "script", () => annotation(`/Subtype /Link /A ${script}`)],
	["JavaScript in a name written with numbers", "script", () => madeUpPdf({ catalog: "/OpenAction << /S /J#61vaScrip#74 /#4a#53 (1) >>" })],
	["JavaScript that nothing refers to", "script", () => madeUpPdf({ objects: [script] })],
	[
		"JavaScript in a stream of objects",
		"script",
		() => madeUpPdf({ catalog: "/OpenAction 50 0 R", packed: { objects: [script], ...deflated } }),
	],
	["the same, disguised as a picture", "script", () => madeUpPdf({ packed: { objects: [script], ...deflated, type: "XObject" } })],
	[
		"the same, deflated twice",
		"script",
		() =>
			madeUpPdf({
				packed: { objects: [script], filter: "/Filter [/FlateDecode /FlateDecode]", pack: (bytes) => deflateSync(deflateSync(bytes)) },
			}),
	],
	[
		"the same, with a wrong checksum",
		"script",
		() =>
			madeUpPdf({
				packed: {
					objects: [script],
					...deflated,
					pack: (bytes) => Buffer.concat([Buffer.from([0x78, 0x9c]), deflateRawSync(bytes), Buffer.from("lies")]),
				},
			}),
	],
	[
		"a stream of objects in an unusual packing",
		"hidden-objects",
		() => madeUpPdf({ packed: { objects: ["<< /A 1 >>"], filter: "/Filter /ASCIIHexDecode", pack: hex } }),
	],
	[
		"a stream of objects that does not unpack",
		"hidden-objects",
		() => madeUpPdf({ packed: { objects: ["<< /A 1 >>"], ...deflated, pack: () => Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]) } }),
	],
	["JavaScript inside a stream's bytes", "script", () => madeUpPdf({ objects: [stream("", Buffer.from(`60 0 obj ${script} endobj`))] })],
	["something to do when a page is shown", "automatic-action", () => madeUpPdf({ page: "/AA << /O << /S /Named /N /NextPage >> >>" })],
	[
		"an address to open with the file",
		"automatic-action",
		() => madeUpPdf({ catalog: "/OpenAction << /S /URI /URI (http://127.0.0.1/) >>" }),
	],
	["a program to start", "launch", () => madeUpPdf({ catalog: "/OpenAction << /S /Launch /F (calc.exe) >>" })],
	["another file to open", "launch", () => annotation("/Subtype /Link /A << /S /GoToR /F (other.pdf) /D [0 /Fit] >>")],
	["a link to a local file", "launch", () => annotation("/Subtype /Link /A << /S /URI /URI (file:///etc/passwd) >>")],
	["a file inside", "attachment", () => kitPdf({}, (document) => document.file(Buffer.from("hello"), { name: "a.txt" }))],
	["a file pinned on the page", "attachment", () => annotation("/Subtype /FileAttachment /FS << /Type /Filespec /F (a) >>")],
	["a specification of a file inside", "attachment", () => madeUpPdf({ objects: ["<< /F (a) /EF << /F 11 0 R >> >>"] })],
	["a film", "media", () => annotation("/Subtype /RichMedia")],
	["a screen", "media", () => annotation("/Subtype /Screen")],
	["a form that sends", "form-sending", () => annotation("/Subtype /Widget /A << /S /SubmitForm /F (http://127.0.0.1/) >>")],
	[
		"an XFA form",
		"xfa",
		() => madeUpPdf({ catalog: "/AcroForm << /Fields [] /XFA 10 0 R >>", objects: [stream("", Buffer.from("<xdp/>"))] }),
	],
	[
		"a bomb",
		"inflation",
		() => madeUpPdf({ content: { dictionary: "/Filter /FlateDecode", bytes: deflateSync(Buffer.alloc(130 * 2 ** 20), { level: 1 }) } }),
	],
	["a specimen of ours", "specimen", () => specimenPdf()],
];

async function specimenPdf(): Promise<Uint8Array> {
	const result = await specimenIssuer(() => now).result({ orderId: "o", orderNumber: "KB-0000-0000", siren, companyName: "ESSAI" });
	return result.state === "ready" ? result.pdf : new Uint8Array();
}

describe("refused", () => {
	test.each(bad)("%s: %s", async (_, problem, make) => {
		expect(await check(await make())).toMatchObject({ ok: false, problem, reason: expect.stringMatching(/^(?:Cet?|Le|La) .+\.$/) });
	});

	test("a file made to be read for ever ends with its own process", async () => {
		expect(await inspectPdf(laughing(), 3000)).toBeNull();
	});

	test("so does one made to fill the memory, in a packing that only the parser undoes", async () => {
		const packing = createDeflate({ level: 1 });
		const packed = buffer(packing);
		const block = Buffer.alloc(10 * 2 ** 20, "q Q ");
		for (let written = 0; written < 80; written++) await new Promise((done) => packing.write(block, done));
		packing.end();
		const content = { dictionary: "/Filter [/ASCIIHexDecode /FlateDecode]", bytes: hex(await packed) };
		// with so much time, only the memory can end it
		expect(await inspectPdf(madeUpPdf({ content }), 600_000)).toBeNull();
	});
});

const good: [string, string, () => Uint8Array | Promise<Uint8Array>][] = [
	["a day in letters", "2026-11-20T23:00:00Z", () => dated("à jour au 21 novembre 2026")],
	["a day and an hour", "2026-11-21T09:32:00Z", () => dated("à jour au 21 novembre 2026 à 10 h 32")],
	["yesterday, less than a day ago", "2026-11-20T11:01:00Z", () => dated("à jour au 20/11/2026 12:01:30")],
	["objects packed in a stream", "2026-11-20T23:00:00Z", () => madeUpPdf({ packed: { objects: ["<< /Title (a) >>"], ...deflated } })],
	["a page to open at", "2026-11-20T23:00:00Z", () => madeUpPdf({ catalog: "/OpenAction 10 0 R", objects: ["[3 0 R /Fit]"] })],
	["a link, a signature", "2026-11-20T23:00:00Z", () => signed()],
	["another maker's, deflated", "2026-11-20T23:00:00Z", () => kitPdf()],
	["fifty pages", "2026-11-20T23:00:00Z", () => madeUpPdf({ pages: 50 })],
	[
		"words about scripts",
		"2026-11-20T23:00:00Z",
		() => madeUpPdf({ lines: [...extractLines(), "Activité : sites /JS /AA et sociétés/EF"] }),
	],
];

const signed = () =>
	madeUpPdf({
		catalog: "/AcroForm << /SigFlags 3 /Fields [10 0 R] >>",
		page: "/Annots [10 0 R << /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://www.example.fr/) >> >>]",
		objects: [
			"<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 0 0] /V 11 0 R >>",
			"<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Contents <00> /ByteRange [0 1 2 3] >>",
		],
	});

describe("accepted", () => {
	test.each(good)("%s: issued at %s", async (_, issuedAt, make) => {
		expect(await check(await make())).toMatchObject({ ok: true, issuedAt: new Date(issuedAt) });
	});

	test("a specimen says in words the day on which it was made", async () => {
		expect((await inspectPdf(await specimenPdf()))?.text).toContain("Produit le 21 novembre 2026");
	});

	test("a specimen where specimens are delivered, once its date is given", async () => {
		const pdf = await specimenPdf();
		expect(await checkExtract(pdf, { siren, now, specimens: true })).toMatchObject({ problem: "undated", confirm: "issuedAt" });
		expect(await checkExtract(pdf, { siren, now, specimens: true, confirmed: { issuedAt: now } })).toMatchObject({ ok: true });
	});
});

describe("what the operator answers for", () => {
	const old = dated("à jour au 3 novembre 2026");
	const scan = madeUpPdf({ lines: ["1/1"] });
	const undated = dated("du commerce");
	const hourAgo = new Date(now.getTime() - 3_600_000);

	test("an old extract passes when it is confirmed, with a warning", async () => {
		expect(await check(old)).toMatchObject({ ok: false, confirm: "old" });
		const confirmed = await check(old, { old: true });
		expect(confirmed).toMatchObject({ ok: true, issuedAt: new Date("2026-11-02T23:00:00Z") });
		expect(confirmed.ok && confirmed.warnings).toContain("Cet extrait a plus d’un jour : vous avez confirmé qu’il convient.");
	});

	test("an undated one passes with a date that is given, which is judged like any other", async () => {
		expect(await check(undated)).toMatchObject({ ok: false, confirm: "issuedAt" });
		expect(await check(undated, { issuedAt: hourAgo })).toMatchObject({ ok: true, issuedAt: hourAgo });
		expect(await check(undated, { issuedAt: new Date("2026-11-01") })).toMatchObject({ problem: "old" });
		expect(await check(undated, { issuedAt: new Date("2026-11-22") })).toMatchObject({ problem: "future", confirm: null });
	});

	test("a date that is given does not replace the one that is printed", async () => {
		expect(await check(old, { issuedAt: hourAgo })).toMatchObject({ problem: "old" });
	});

	test("a scan passes when it was looked at and dated", async () => {
		expect(await check(scan)).toMatchObject({ problem: "unreadable", confirm: "unreadable" });
		expect(await check(scan, { unreadable: true })).toMatchObject({ problem: "undated" });
		expect(await check(scan, { unreadable: true, issuedAt: hourAgo })).toMatchObject({ ok: true, issuedAt: hourAgo });
	});

	test.each(["other-company", "future", "script", "encrypted"])("nothing makes one pass that is refused as %s", async (problem) => {
		const [, , make] = bad.find((row) => row[1] === problem) ?? [];
		const everything = { old: true, unreadable: true, issuedAt: hourAgo };
		expect(await check((await make?.()) ?? new Uint8Array(), everything)).toMatchObject({ ok: false, problem, confirm: null });
	});
});
