import { deflateSync } from "node:zlib";
import { degrees, PDFHexString, PDFName, PDFString, PDFDocument as PdfLib, StandardFonts } from "pdf-lib";
import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { generatePdf, generateScan, stream } from "../../../test/fixtures/pdf.ts";
import type { Siren } from "../../companies/siren.ts";
import { examineExtract } from "./examine-extract.server.ts";
import { judgeExtract } from "./judge-extract.ts";
import { summarisePdf } from "./summarise-pdf.server.ts";

// Extracts as writers of PDF make them, and other files that an operator may drop, each with what becomes of it.

const siren = "552032534" as Siren;
const now = new Date("2026-11-21T11:00:00Z"); // noon in Paris

const identification = [
	"IDENTIFICATION DE LA PERSONNE MORALE",
	"Immatriculation au RCS, numéro 552 032 534 R.C.S. Paris",
	"Date d'immatriculation 01/03/1955",
	"Dénomination ou raison sociale ESSAI SA",
	"Capital social 170 348 620,75 Euros",
	"Adresse du siège 59 rue La Fayette 75009 Paris",
];
const management = [
	"GESTION, DIRECTION, ADMINISTRATION, CONTROLE, ASSOCIES OU MEMBRES",
	"Président",
	"Dénomination HOLDING D'ESSAI",
	"Immatriculation au RCS, numéro 732 829 320 R.C.S. Nanterre",
	"Commissaire aux comptes titulaire",
	"SIREN 404 833 048, téléphone 01 55 20 32 53",
];
const head = ["Greffe d'essai", "Extrait Kbis", "à jour au 21 novembre 2026"];
const kbis = [...head, ...identification, ...management, "FIN DE L'EXTRAIT"];
/** An extract with a line replaced, or another one after it. */
const replace = (line: string, ...lines: string[]) => kbis.flatMap((each) => (each.startsWith(line) ? lines : [each]));
const add = (...lines: string[]) => [...kbis, ...lines];

const latin1 = (text: string) => Buffer.from(text, "latin1");
const quote = (text: string) => text.replace(/[\\()]/g, "\\$&");
const raw = (lines = kbis) => generatePdf({ lines });
/** A page of these operators. */
const draw = (operators: string, more: Parameters<typeof generatePdf>[0] = {}) =>
	generatePdf({ content: { dictionary: "", bytes: latin1(operators) }, ...more });
const show = (lines: string[], how: (line: string) => string) =>
	`BT /F1 9 Tf 12 TL 40 800 Td ${lines.map((line) => `${how(line)} T*`).join("\n")} ET`;
const edit = (pdf: Uint8Array, change: (text: string) => string) => new Uint8Array(latin1(change(Buffer.from(pdf).toString("latin1"))));
const page = (attributes: string) => generatePdf({ lines: kbis, page: attributes });
const catalog = (entries: string, objects: (string | Buffer)[] = []) => generatePdf({ lines: kbis, catalog: entries, objects });
const annotation = (dictionary: string) => page(`/Annots [<< /Type /Annot /Rect [0 0 9 9] ${dictionary} >>]`);
const link = (action: string) => annotation(`/Subtype /Link /A << ${action} >>`);
const deflated = (pdf: { lines: string[] }) => {
	const bytes = deflateSync(latin1(show(pdf.lines, (line) => `(${quote(line)}) Tj`)));
	return generatePdf({ content: { dictionary: "/Filter /FlateDecode", bytes } });
};

/** pdfkit, in one of its versions of PDF, with what is added before the end. */
async function kit(
	options: PDFKit.PDFDocumentOptions = {},
	lines = kbis,
	change: (document: PDFKit.PDFDocument) => void = () => {},
): Promise<Uint8Array> {
	const document = new PDFDocument(options);
	const chunks: Buffer[] = [];
	document.on("data", (chunk: Buffer) => chunks.push(chunk));
	document.fontSize(9).text(lines.join("\n"));
	change(document);
	document.end();
	await new Promise<void>((done) => document.on("end", () => done()));
	return new Uint8Array(Buffer.concat(chunks));
}

/** pdf-lib, on an empty file or on another writer's. */
async function lib(
	change: (document: PdfLib) => void = () => {},
	{ from, useObjectStreams = true }: { from?: Uint8Array; useObjectStreams?: boolean } = {},
) {
	const document = from ? await PdfLib.load(from) : await PdfLib.create();
	const drawn = from ? document.getPage(0) : document.addPage();
	if (!from)
		drawn.drawText(kbis.join("\n"), { x: 40, y: 780, size: 9, lineHeight: 12, font: await document.embedFont(StandardFonts.Helvetica) });
	change(document);
	return document.save({ useObjectStreams });
}

/** A font whose letters have these names. */
const font = (differences: string) =>
	`<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Essai /Encoding << /Type /Encoding /Differences [${differences}] >> >>`;
const inFont = (object: string, lines = kbis) =>
	edit(generatePdf({ lines, objects: [object] }), (text) => text.replace("/F1 5 0 R", "/F1 10 0 R"));
/** Each digit is drawn with the glyph of the next one, as a damaged table of characters reads them. */
const shiftedDigits = font("48 /one /two /three /four /five /six /seven /eight /nine /zero");
/** A font of glyphs without letters, whose codes say nothing. */
const glyphs =
	"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Essai /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Essai /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>";

const signed = [
	"<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /Rect [0 0 0 0] /P 3 0 R /V 11 0 R /Lock << /Action /All >> >>",
	"<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /Contents <00> /ByteRange [0 1 2 3] /Reference [<< /TransformMethod /DocMDP >>] >>",
	stream("", Buffer.from("certificate /JavaScript")),
];
const update = (pdf: Uint8Array, objects: string) => {
	const text = Buffer.from(pdf).toString("latin1");
	const at = /startxref\s+(\d+)/.exec(text)?.[1] ?? "";
	return new Uint8Array(
		latin1(
			`${text}${objects}\nxref\n0 0\ntrailer\n<< /Size 100 /Root 1 0 R /Prev ${at} >>\nstartxref\n${text.length + objects.length + 1}\n%%EOF\n`,
		),
	);
};
const script = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>";
const joined = async (...files: Uint8Array[]) => {
	const all = await PdfLib.create();
	for (const file of files) {
		const from = await PdfLib.load(file);
		for (const each of await all.copyPages(from, from.getPageIndices())) all.addPage(each);
	}
	return all.save();
};
const otherKbis = kbis.map((line) => line.replaceAll("552 032 534", "732 829 320"));

type Row = [what: string, make: () => Uint8Array | Promise<Uint8Array>];
type Verdict = "ok" | `confirm ${string}` | `refuse ${string}`;

const corpus = {
	ok: [
		["the plain objects of a small writer", () => raw()],
		[
			"a stream of references, and objects packed",
			() =>
				generatePdf({
					lines: kbis,
					packed: { objects: ["<< /Title (a) >>"], filter: "/Filter /FlateDecode", pack: (bytes) => deflateSync(bytes) },
				}),
		],
		["pdfkit, 1.3", () => kit({ pdfVersion: "1.3" })],
		["pdfkit, 1.7, tagged", () => kit({ pdfVersion: "1.7", tagged: true, displayTitle: true, lang: "fr" })],
		["pdfkit, not compressed", () => kit({ compress: false })],
		["pdfkit, as PDF/A", () => kit({ subset: "PDF/A-2b", pdfVersion: "1.7" })],
		["pdfkit, on several pages", () => kit({}, kbis, (document) => document.addPage().text("Page 2").addPage().text("Page 3"))],
		["pdf-lib, with object streams", () => lib()],
		["pdf-lib, without", () => lib(() => {}, { useObjectStreams: false })],
		["pdf-lib, on a file of pdfkit", async () => lib((document) => document.setTitle("JavaScript"), { from: await kit() })],
		["pdf-lib, turned by its page", () => lib((document) => document.getPage(0).setRotation(degrees(270)))],
		["an empty form", () => lib((document) => void document.getForm())],
		["an update appended", () => update(raw(), "20 0 obj\n<< /Producer (a) >>\nendobj")],
		["two updates", () => update(update(raw(), "20 0 obj\n<< /A 1 >>\nendobj"), "20 0 obj\n<< /A 2 >>\nendobj")],
		[
			"a linearised beginning",
			() =>
				edit(raw(), (text) =>
					text.replace("\n1 0 obj", "\n99 0 obj\n<< /Linearized 1 /L 9 /H [1 2] /O 3 /E 9 /N 1 /T 9 >>\nendobj\n1 0 obj"),
				),
		],
		["references to wrong places", () => edit(raw(), (text) => text.replace(/^00000000(\d\d) 00000 n/gm, "0000000099 00000 n"))],
		["no place of the references", () => edit(raw(), (text) => text.replace(/startxref\n\d+/, "startxref\n0"))],
		["lines ended as on old systems", () => edit(raw(), (text) => text.replaceAll("\n", "\r"))],
		["a blank line before it", () => edit(raw(), (text) => `\r\n${text}`)],
		["a mark of UTF-8 before it", () => edit(raw(), (text) => `\xef\xbb\xbf${text}`)],
		["zeros after it", () => edit(raw(), (text) => text + "\0".repeat(512))],
		["a comment after it", () => edit(raw(), (text) => `${text}% signature service v2\r\n%\n`)],
		["the end mark of an old system", () => edit(raw(), (text) => text.replace(/%%EOF\n$/, "%%EOF\r\n\x1a"))],
		["comments between its objects", () => edit(raw(), (text) => text.replaceAll("endobj\n", "endobj\n% 1 0 object of JavaScript\n"))],
		["an object without anything in it", () => edit(raw(), (text) => text.replace("\nxref", "\n77 0 obj\nendobj\nxref"))],
		["the version 2.0", () => edit(raw(), (text) => text.replace("%PDF-1.7", "%PDF-2.0"))],
		["a page turned by 90°", () => page("/Rotate 90")],
		["a page turned by 180°", () => page("/Rotate 180")],
		["a small CropBox", () => page("/CropBox [0 0 300 842]")],
		["a CropBox outside of the page", () => page("/CropBox [-100 -100 900 1200]")],
		["a MediaBox from above", () => page("/MediaBox [595 842 0 0]")],
		["a huge page", () => page("/MediaBox [0 0 14400 14400]")],
		["a unit of its own", () => page("/UserUnit 2.5")],
		[
			"a stream in a form",
			() =>
				draw("/X Do", {
					objects: [
						stream(
							"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>",
							latin1(show(kbis, (line) => `(${quote(line)}) Tj`)),
						),
					],
				}),
		],
		["a compressed page", () => deflated({ lines: kbis })],
		["text in hexadecimal", () => draw(show(kbis, (line) => `<${latin1(line).toString("hex")}> Tj`))],
		[
			"letters set apart by a font",
			() => draw(show(kbis, (line) => `[${[...line].map((letter) => `(${quote(letter)})`).join(" -20 ")}] TJ`)),
		],
		[
			"blanks made by the place of words",
			() =>
				draw(
					show(
						kbis,
						(line) =>
							`[${line
								.split(" ")
								.map((word) => `(${quote(word)})`)
								.join(" -400 ")}] TJ`,
					),
				),
		],
		["spaced lines", () => draw(show(kbis, (line) => `0.5 Tc 3 Tw (${quote(line)}) Tj`))],
		[
			"a watermark above the text",
			() => draw(`q /F1 60 Tf ${show(["COPIE"], (line) => `(${line}) Tj`)} Q ${show(kbis, (line) => `(${quote(line)}) Tj`)}`),
		],
		[
			"the number with two blanks",
			() => raw(replace("Immatriculation au RCS, numéro 552", "Immatriculation au RCS, numéro 552  032  534 R.C.S. Paris")),
		],
		[
			"the number with points",
			() => raw(replace("Immatriculation au RCS, numéro 552", "Immatriculation au RCS, numéro 552.032.534 R.C.S. Paris")),
		],
		[
			"the number on two lines",
			() => raw(replace("Immatriculation au RCS, numéro 552", "Immatriculation au RCS, numéro 552 032", "534 R.C.S. Paris")),
		],
		[
			"the number without blanks",
			() => raw(replace("Immatriculation au RCS, numéro 552", "Immatriculation au RCS, numéro 552032534 R.C.S. Paris")),
		],
		[
			"the label and the number on two lines",
			() => raw(replace("Immatriculation au RCS, numéro 552", "Immatriculation au RCS, numéro", "552 032 534 R.C.S. Paris")),
		],
		["the town before the number", () => raw([...head, "R.C.S. PARIS 552 032 534", "Président : HOLDING, 732 829 320 R.C.S. NANTERRE"])],
		["the European number too", () => raw(replace("Date d'imm", "Numéro d'identification européen - EUID FR7501.552032534"))],
		["the European number alone", () => raw([...head, "EUID : FR7501.552032534", "Dénomination ESSAI SA"])],
		[
			"a sole trader",
			() =>
				raw([
					"Greffe d'essai",
					"Extrait K",
					"à jour au 21 novembre 2026",
					"IDENTIFICATION DE LA PERSONNE PHYSIQUE",
					"Immatriculation au RCS, numéro 552 032 534 R.C.S. Paris",
					"SIRET 552 032 534 00703",
				]),
		],
		["an agent of commerce", () => raw([...head, "Numéro RSAC 552 032 534, RM 75, gestion 1955 B 03253"])],
		["a transfer from another greffe", () => raw(add("Transfert du R.C.S. de Nanterre en date du 02/03/2019"))],
		["a merger with another company", () => raw(add("Fusion avec ANCIENNE SA, 732 829 320 R.C.S. Nanterre"))],
		["an object changed on another day", () => raw(add("Observations : objet social mis à jour le 12 janvier 2020"))],
		["a card issued on another day", () => raw(add("Carte professionnelle délivrée par la CCI, délivrée le 12 janvier 2020"))],
		["an establishment, with its SIRET and VAT number", () => raw(add("SIRET 552 032 534 00703", "TVA FR27552032534"))],
		["the activity « JavaScript »", () => raw(add("Activité : sites en JavaScript /JavaScript /JS", "1 0 object"))],
		["the same, compressed", () => deflated({ lines: add("(/S /JavaScript /JS) Activité") })],
		[
			"the title « JavaScript »",
			() =>
				generatePdf({
					lines: kbis,
					objects: ["<< /Title (Agence JavaScript) /Keywords (/OpenAction /AA /Launch) >>"],
					trailer: "/Info 10 0 R",
				}),
		],
		[
			"metadata about JavaScript",
			() =>
				catalog("/Metadata 10 0 R", [
					stream("/Type /Metadata /Subtype /XML", Buffer.from("<x:xmpmeta>/JavaScript /EmbeddedFile</x:xmpmeta>")),
				]),
		],
		["a picture named /JS", () => edit(raw(), (text) => text.replace("/XObject << /X 10 0 R >>", "/XObject << /JS 5 0 R /AA 5 0 R >>"))],
		["no files in the list of files", () => catalog("/Names << /EmbeddedFiles << /Names [] >> /JavaScript << /Names [] >> >>")],
		["no actions in the list of actions", () => page("/AA << >>")],
		["the dialog of the printer", () => catalog("/OpenAction << /S /Named /N /Print >> /ViewerPreferences << /PrintScaling /None >>")],
		["an action that no reader knows", () => catalog("/OpenAction << /S /Inconnue >>")],
		["a page to begin with", () => catalog("/OpenAction << /S /GoTo /D [3 0 R /XYZ null null 1] >>")],
		[
			"a named place to begin with",
			() => catalog("/OpenAction << /S /GoTo /D (debut) >> /Names << /Dests << /Names [(debut) [3 0 R /Fit]] >> >>"),
		],
		[
			"a table of contents",
			() =>
				catalog("/Outlines 10 0 R", [
					"<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>",
					"<< /Title (JavaScript) /Parent 10 0 R /A << /S /URI /URI (https://www.infogreffe.fr/) >> >>",
				]),
		],
		["a link to the web", () => link("/S /URI /URI (https://controle.infogreffe.fr/controle)")],
		["a link without a scheme", () => link("/S /URI /URI (www.infogreffe.fr)")],
		["a link to call", () => link("/S /URI /URI (tel:+33123456789)")],
		["a link to write", () => link("/S /URI /URI (mailto:greffe@example.fr)")],
		["a circle, drawn by hand", () => annotation("/Subtype /Ink /InkList [[0 0 9 9]]")],
		[
			"a signature",
			() =>
				generatePdf({
					lines: kbis,
					catalog: "/AcroForm << /SigFlags 3 /Fields [10 0 R] >> /Perms << /DocMDP 11 0 R >>",
					page: "/Annots [10 0 R]",
					objects: signed,
				}),
		],
		[
			"a signature with its proofs",
			() =>
				generatePdf({
					lines: kbis,
					catalog: "/AcroForm << /SigFlags 3 /Fields [10 0 R] >> /DSS << /Certs [12 0 R] /VRI << /AA00EF << /Cert [12 0 R] >> >> >>",
					page: "/Annots [10 0 R]",
					objects: signed,
				}),
		],
		["the hour of its issue", () => raw(replace("à jour", "à jour au 21/11/2026 à 11 h 58"))],
		[
			"a day that has begun overseas",
			() =>
				raw(
					replace("Greffe", "Greffe du tribunal mixte de commerce de Nouméa").map((line) =>
						line.replace("à jour au 21 novembre 2026", "à jour au 21 novembre 2026 à 20 h"),
					),
				),
		],
	],
	"confirm doubtful-company": [
		[
			"labels and values in columns",
			() =>
				raw([
					...head,
					"Immatriculation au RCS, numéro",
					"Date d'immatriculation",
					"Dénomination ou raison sociale",
					"552 032 534 R.C.S. Paris",
					"01/03/1955",
					"ESSAI SA",
					...management,
				]),
		],
		["the president before the company", () => raw([...head, ...management, ...identification])],
		["a company whose president is ours", () => raw([...otherKbis.slice(0, 9), "Président : 552 032 534 R.C.S. Paris"])],
		["two extracts, ours first", async () => joined(await kit(), await kit({}, otherKbis))],
		["two extracts, ours second", async () => joined(await kit({}, otherKbis), await kit())],
		["numbers without labels", () => raw(["Extrait Kbis", "Greffe d'essai", "à jour au 21 novembre 2026", "552 032 534", "732 829 320"])],
	],
	"confirm no-siren": [
		["no number at all", () => raw([...head, "Dénomination ESSAI SA", "Adresse du siège 59 rue La Fayette"])],
		["a digit that is wrong", () => raw(kbis.slice(0, 9).map((line) => line.replace("552 032 534", "552 032 535")))],
		["digits of a damaged font", () => inFont(shiftedDigits, [...head, ...identification])],
		["a number cut by the page", () => raw(kbis.slice(0, 9).map((line) => line.replace("552 032 534 R.C.S. Paris", "552 032")))],
	],
	"confirm other-document": [
		[
			"the situation at the SIRENE directory",
			() =>
				raw([
					"Avis de situation au répertoire Sirene",
					"Situation au 21/11/2026",
					"Identifiant SIREN 552 032 534",
					"Dénomination ESSAI SA",
					"Catégorie juridique 5599",
				]),
		],
		[
			"the extract of the national register of companies",
			() =>
				raw([
					"Registre national des entreprises",
					"Extrait d'immatriculation à jour au 21 novembre 2026",
					"SIREN 552 032 534",
					"Dénomination ESSAI SA",
				]),
		],
		[
			"an invoice of the greffe",
			() =>
				raw([
					"Facture n° 12 du 21/11/2026",
					"Extrait Kbis de ESSAI SA, 552 032 534 R.C.S. Paris",
					"Total TTC 3,20 €",
					"Date d'édition 21/11/2026",
				]),
		],
		["statutes", () => raw(["ESSAI SA", "Statuts", "552 032 534 R.C.S. Paris", "Article 1 : forme. La société est une société anonyme."])],
		[
			"a certificate",
			() => raw(["Certificat de non-faillite", "Greffe d'essai, délivré le 21 novembre 2026", "ESSAI SA, 552 032 534 R.C.S. Paris"]),
		],
	],
	"confirm unreadable": [
		[
			"glyphs without letters",
			() => {
				const code = (line: string) => [...line].map((letter) => (0xe000 + letter.charCodeAt(0)).toString(16)).join("");
				return edit(
					draw(
						show(kbis, (line) => `<${code(line)}> Tj`),
						{ objects: [glyphs] },
					),
					(text) => text.replace("/F1 5 0 R", "/F1 10 0 R"),
				);
			},
		],
	],
	"confirm undated": [["no date", () => raw(replace("à jour", "au registre du commerce"))]],
	"confirm old": [
		["an extract of last month", () => raw(replace("à jour", "à jour au 20 octobre 2026"))],
		["a card and an old date", () => raw(replace("à jour", "Délivré à Paris, le 3 mars 2026"))],
	],
	"refuse other-company": [
		["another company's extract", () => raw(otherKbis.filter((line) => !line.includes("404")))],
		["another's, by the European number", () => raw([...head, "EUID : FR9201.732829320", "Dénomination HOLDING D'ESSAI"])],
		["another's, whose text has our digits in an amount", () => raw([...otherKbis.slice(0, 9), "Capital social 552 032 534 Euros"])],
	],
	"refuse future": [["an extract of tomorrow", () => raw(replace("à jour", "à jour au 22 novembre 2026"))]],
	"refuse scan": [["a scan", () => generateScan(kbis)]],
	"refuse encrypted": [
		["a password", () => kit({ userPassword: "secret" })],
		["an empty password", () => kit({ ownerPassword: "secret" })],
	],
	"refuse script": [
		["a script at the opening", () => catalog(`/OpenAction ${script}`)],
		["a script of pdf-lib, in an object stream", () => lib((document) => document.addJavaScript("a", "app.alert(1)"))],
		["a script in an update", () => update(raw(), `1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>\nendobj`)],
		[
			"a script that an update replaces",
			() => update(catalog(`/OpenAction ${script}`), "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj"),
		],
		["a script in an encoded name", () => catalog("/OpenAction << /S /Java#53cript /#4aS (1) >>")],
		["a script of a field", () => annotation(`/Subtype /Widget /FT /Tx /T (a) /AA << /C ${script} >>`)],
		["a script among the named places", () => catalog(`/Names << /Dests << /Names [(a) << /D [3 0 R /Fit] /A ${script} >>] >> >>`)],
		["a script behind a name elsewhere", () => catalog("/OpenAction << /S 10 0 R /JS (1) >>", ["/JavaScript"])],
		["a script after a harmless action", () => link(`/S /GoTo /D [3 0 R /Fit] /Next ${script}`)],
	],
	"refuse launch": [
		["a program to start", () => link("/S /Launch /F (calc.exe)")],
		["a link to a script", () => link("/S /URI /URI (javascript:alert\\(1\\))")],
	],
	"refuse automatic-action": [["a page of the web at the opening", () => catalog("/OpenAction << /S /URI /URI (https://example.fr/) >>")]],
	"refuse form-sending": [
		["a form that sends", () => annotation("/Subtype /Widget /FT /Btn /T (a) /A << /S /SubmitForm /F (https://example.fr/) >>")],
	],
	"refuse attachment": [
		["a file attached by pdfkit", () => kit({}, kbis, (document) => document.file(Buffer.from("hello"), { name: "a.txt" }))],
		[
			"a file attached by pdf-lib",
			async () => {
				const document = await PdfLib.load(raw());
				await document.attach(Buffer.from("hello"), "a.txt");
				return document.save();
			},
		],
	],
	"refuse media": [["a film", () => annotation("/Subtype /RichMedia")]],
	"refuse xfa": [
		[
			"an XFA form",
			() =>
				lib((document) =>
					document.getForm().acroForm.dict.set(PDFName.of("XFA"), document.context.obj([PDFString.of("template"), PDFHexString.of("00")])),
				),
		],
	],
	"refuse truncated": [["a file that is cut", () => raw().subarray(0, 900)]],
	"refuse more-than-pdf": [["a page of HTML after it", () => edit(raw(), (text) => `${text}<!doctype html>`)]],
} satisfies Partial<Record<Verdict, Row[]>>;

const rows = Object.entries<Row[]>(corpus).flatMap(([verdict, files]) => files.map(([what, make]) => [verdict, what, make] as const));

/** Scans are for letters only: what a scanner recognised is compared by a person where it does not agree. */
const scans: [string, string[], Verdict][] = [
	["recognised without a fault", kbis, "ok"],
	["with a letter for a digit", kbis.map((line) => line.replace("552 032 534", "552 O32 534")), "confirm no-siren"],
	["with a digit for another", kbis.slice(0, 9).map((line) => line.replace("552 032 534", "552 082 534")), "confirm no-siren"],
	["with blanks in the number", kbis.map((line) => line.replace("552 032 534", "5 52 03 2534")), "ok"],
	["with letters in the date", replace("à jour", "à jour au 2l novembre 2O26"), "confirm undated"],
	["of another company", otherKbis.slice(0, 9), "confirm doubtful-company"],
	["that recognised nothing", [], "confirm unreadable"],
];

async function judge(bytes: Uint8Array, takesPictures = false): Promise<string> {
	const facts = await examineExtract({ inspectPdf: summarisePdf, environment: { production: true } }, bytes);
	const judged = judgeExtract(facts, { siren, now, takesPictures });
	if (judged.ok) return "ok";
	return `${judged.confirm ? "confirm" : "refuse"} ${judged.code}`;
}

test.each(rows)("%s: %s", async (verdict, _, make) => {
	expect(await judge(await make())).toBe(verdict);
});

test.each(scans)("a scan %s, for a letter", async (_, recognised, verdict) => {
	expect(await judge(generateScan(recognised), true)).toBe(verdict);
});

test("the corpus has sixty files and more", () => {
	expect(rows.length).toBeGreaterThanOrEqual(60);
});
