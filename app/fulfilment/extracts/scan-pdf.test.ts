import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generatePdf, stream } from "../../../test/fixtures/pdf.ts";
import { isHarmlessAddress, scanPdf } from "./scan-pdf.server.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const listFindings = (pdf: Uint8Array) => scanPdf(pdf).findings;
const listIn = (...objects: (string | Buffer)[]) => listFindings(generatePdf({ objects }));
const script = "<< /S /JavaScript /JS (1) >>";
const withStream = (dictionary: string, bytes: Buffer) => generatePdf({ objects: [stream(dictionary, bytes)] });

/** ISO 32000-2, 12.6 (actions), 12.5.6 (annotations), 7.11 (file specifications), 12.7.3 (forms). */
const active: [object: string, findings: string[]][] = [
	[script, ["script"]],
	["<< /S /J#61vaScript /JS 9 0 R >>", ["script"]],
	["<< /S /JavaScript /JS (1) /S /GoTo >>", ["script"]], // of two values readers take the first or the last
	["[1 << /A << /Next [<< /S /JavaScript /JS <31> >>] >> >>]", ["script"]],
	["<< /S /Launch /F (calc.exe) >>", ["launch"]],
	["<< /S /GoToR /F (b.pdf) /D [0 /Fit] >>", ["launch"]],
	["<< /S /GoToE /T << /R /C /N (b) >> >>", ["launch"]],
	["<< /S /URI /URI (file:///etc/passwd) >>", ["launch"]],
	["<< /S /URI /URI <6A6176617363726970743A31> >>", ["launch"]], // javascript:1
	["<< /S /SubmitForm /F (http://127.0.0.1/) >>", ["form-sending"]],
	["<< /S /ImportData /F (a.fdf) >>", ["form-sending"]],
	["<< /S /Sound /Sound 9 0 R >>", ["media"]],
	["<< /S /Movie /T (a) >>", ["media"]],
	["<< /S /Rendition /OP 0 >>", ["media"]],
	["<< /S /RichMediaExecute >>", ["media"]],
	["<< /S /GoTo3DView >>", ["media"]],
	...["RichMedia", "Screen", "Movie", "Sound", "3D"].map((kind): [string, string[]] => [`<< /Type /Annot /Subtype /${kind} >>`, ["media"]]),
	["<< /Type /Annot /Subtype /FileAttachment /FS << /F (a) >> >>", ["attachment"]],
	["<< /Type /EmbeddedFile >>", ["attachment"]],
	...["F", "UF", "DOS", "Mac", "Unix"].map((key): [string, string[]] => [`<< /F (a) /EF << /${key} 99 0 R >> >>`, ["attachment"]]),
	["<< /Fields [] /XFA [(template) 9 0 R] >>", ["xfa"]],
	["<< /AA << /O << /S /Named /N /NextPage >> >> >>", ["automatic-action"]],
	["<< /AA << /K << /S /JavaScript /JS (1) >> >> >>", ["script", "automatic-action"]],
	["<< /OpenAction << /S /URI /URI (https://example.fr) >> >>", ["automatic-action"]],
	["<< /OpenAction << /S /GoTo /D (a) /Next << /S /Hide /T (a) >> >> >>", ["automatic-action"]],
];

const harmless: string[] = [
	"(/S /JavaScript /JS /AA /OpenAction /EF /XFA /Launch)",
	"<< /Title (Cours de JavaScript) /Subject <4A617661> /Keywords (/Launch) >>",
	"<< /Font << /JS 5 0 R /AA 5 0 R /EF 5 0 R /XFA 5 0 R /OpenAction 5 0 R /JavaScript 5 0 R /Launch 5 0 R /3D 5 0 R >> >>",
	"<< /Type /Font /Subtype /TrueType /BaseFont /JavaScript >>",
	"<< /Names << /EmbeddedFiles << /Names [] >> /JavaScript << /Names [] >> >> >>",
	"<< /AA << >> >>",
	"<< /AA null /OpenAction null >>",
	"<< /F (a) /EF << >> >>",
	"<< /Fields [] /XFA [] >>",
	"<< /OpenAction [3 0 R /Fit] >>",
	"<< /OpenAction << /S /GoTo /D [3 0 R /XYZ null null 1] >> >>",
	"<< /OpenAction << /S /GoTo /D (Doc-Start) >> >>",
	"<< /OpenAction << /S /Named /N /Print >> >>",
	"<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://controle.infogreffe.fr/controle) >> >>",
	"<< /Type /Annot /Subtype /Link /A << /S /URI /URI (www.infogreffe.fr) >> >>",
	"<< /Type /Annot /Subtype /Widget /FT /Sig /A << /S /ResetForm >> >>",
	"<< /Type /StructElem /S /Link /Alt (JavaScript) >>",
	"<< /S /Transparency /Group /JavaScript >>",
	"<< /DSS << /Certs [9 0 R] /VRI << /AA0B << /Cert [9 0 R] >> >> >> /Perms << /DocMDP 9 0 R >> >>",
	"<< /constructor 1 /S /toString /Subtype /__proto__ >>",
];

describe("active content is found among the objects", () => {
	test.each(active)("%s is %j", (object, findings) => {
		expect(listIn(object)).toEqual(findings);
		expect(listFindings(generatePdf({ trailer: `/A ${object}` }))).toEqual(findings);
		expect(listIn(stream(`/A ${object}`, Buffer.from("x")))).toEqual(findings);
	});

	test.each(harmless)("%s is none", (object) => {
		expect(scanPdf(generatePdf({ objects: [object] }))).toEqual({ findings: [], encrypted: false, openActions: 0 });
	});

	test("through references, to any of the objects of a number", () => {
		expect(listIn("<< /S 11 0 R /F (b.pdf) >>", "/Launch")).toEqual(["launch"]);
		expect(listIn("<< /AA 11 0 R >>", "<< /O 12 0 R >>", "<< /S /Named >>")).toEqual(["automatic-action"]);
		expect(listIn("<< /Fields [] /XFA 11 0 R >>", stream("", Buffer.from("<xdp/>")))).toEqual(["xfa"]);
		expect(listIn("<< /Font << /XFA 11 0 R >> >>", stream("/Subtype /Form", Buffer.from("q Q")))).toEqual([]);
		const twice = latin1("1 0 obj << /OpenAction 2 0 R >> endobj 2 0 obj << /S /URI >> endobj 2 0 obj << /S /GoTo >> endobj");
		expect(listFindings(twice)).toEqual(["automatic-action"]);
	});

	test("in actions that follow each other in a circle", () => {
		expect(listIn("<< /AA << /O 11 0 R >> >>", "<< /Next 12 0 R >>", "<< /Next 11 0 R /S /Trans >>")).toEqual(["automatic-action"]);
	});

	test.each([
		`60 0 obj${script}endobj`,
		`60\n0\0obj ${script} endobj`,
		`60 % a\n 0 %b\r obj %c\n ${script} endobj`,
		`( 60 0 obj ${script} endobj`,
		`0000000000 65535 f 60 0 obj ${script}`,
	])("wherever an object begins: %j", (text) => {
		expect(listFindings(latin1(`%PDF-1.7\n${text}`))).toEqual(["script"]);
		expect(listIn(stream("", Buffer.from(text)))).toEqual(["script"]);
	});

	test("never in the content of a page, in metadata or in a text", () => {
		const words = `q /JS Do /JavaScript gs << /S /JavaScript /JS (1) >> BDC (/OpenAction << /S /Launch >>) Tj Q`;
		for (const dictionary of ["", "/Type /Metadata /Subtype /XML", "/Type /XObject /Subtype /Form"]) {
			expect(listFindings(withStream(dictionary, Buffer.from(words)))).toEqual([]);
			expect(listFindings(withStream(`${dictionary} /Filter /FlateDecode`, deflateSync(words)))).toEqual([]);
		}
	});

	test("whatever words a string has", () => {
		const word = fc.constantFrom("/JavaScript", "/JS", "/AA", "/OpenAction", "/S", "/Launch", "<<", ">>", "\\(", "\\)", "é", " ", "(", ")");
		fc.assert(
			fc.property(fc.array(word, { maxLength: 20 }), (words) => {
				const balanced = words.filter((each) => each !== "(" && each !== ")").join("");
				expect(listIn(`<< /Title (${balanced}) /Author (a(${balanced})b) >>`)).toEqual([]);
				expect(listIn(`<< /Title (${balanced}) /A ${script} >>`)).toEqual(["script"]);
			}),
		);
	});
});

test("encryption is said by a trailer, or by the stream in its place", () => {
	const isEncrypted = (pdf: Uint8Array) => scanPdf(pdf).encrypted;
	expect(isEncrypted(generatePdf({ trailer: "/Encrypt 9 0 R" }))).toBe(true);
	expect(isEncrypted(generatePdf({ trailer: "/Encr#79pt 9 0 R" }))).toBe(true);
	expect(isEncrypted(withStream("/Type /XRef /Root 1 0 R /Encrypt 9 0 R", Buffer.from("")))).toBe(true);
	expect(isEncrypted(withStream("", Buffer.from("trailer /Encrypt")))).toBe(false);
	expect(isEncrypted(generatePdf({ objects: ["<< /Font << /Encrypt 5 0 R >> /Title (/Encrypt) >>"] }))).toBe(false);
});

test("counts the actions at the opening whose object is missing", () => {
	expect(scanPdf(generatePdf({ catalog: "/OpenAction 9 0 R" }))).toEqual({ findings: [], encrypted: false, openActions: 1 });
	expect(scanPdf(generatePdf({ catalog: "/OpenAction 10 0 R", objects: ["[3 0 R /Fit]"] })).openActions).toBe(0);
});

describe("finds objects in a stream", () => {
	const packed = Buffer.from(`50 0 ${script}`);
	const flate = "/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode";
	test.each<[string, Uint8Array]>([
		["not compressed", withStream("/Type /ObjStm /N 1 /First 5", packed)],
		["deflated", withStream(flate, deflateSync(packed))],
		[
			"declared as a picture, recognised by its numbers and offsets",
			withStream("/Type /XObject /Filter /FlateDecode", deflateSync(packed)),
		],
		["without a declared filter", withStream("", deflateSync(packed))],
		["deflated three times", withStream(flate, deflateSync(deflateSync(deflateSync(packed))))],
		["after objects without a name", withStream(flate.replace("5", "10"), deflateSync(`50 0 51 5 true ${script}`))],
		["with a length that is too short", withStream(`${flate} /Length 3`, deflateSync(packed))],
		["without its checksum", withStream(flate, deflateSync(packed).subarray(0, -4))],
		[
			"with a wrong header, which some readers accept",
			withStream(flate, Buffer.concat([Buffer.from([0x78, 0x20]), deflateRawSync(packed)])),
		],
		["with an encoded name", withStream(flate, deflateSync("50 0 << /S /Java#53cript /#4a#53 (1) >>"))],
	])("%s", (_, pdf) => {
		expect(listFindings(pdf)).toEqual(["script"]);
	});

	test.each(["ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "LZWDecode", "LZW", "RunLengthDecode", "RL", "Crypt", "LZ#57Decode"])(
		"a filter that is not decoded is a finding: %s",
		(filter) => {
			for (const dictionary of [`/Filter /${filter}`, `/Filter [/FlateDecode /${filter}]`]) {
				expect(listFindings(withStream(`/Type /ObjStm ${dictionary}`, Buffer.from("3530")))).toEqual(["hidden-objects"]);
				expect(listFindings(withStream(`/First 5 ${dictionary}`, Buffer.from("3530")))).toEqual(["hidden-objects"]);
				expect(listFindings(withStream(dictionary, Buffer.from("3530")))).toEqual([]);
			}
		},
	);

	test("so are parameters of a filter", () => {
		const parameters = "/Filter /FlateDecode /DecodeParms << /Predictor 12 >>";
		expect(listFindings(withStream(`/Type /ObjStm ${parameters}`, deflateSync("")))).toEqual(["hidden-objects"]);
		expect(listFindings(withStream(`/Type /XRef ${parameters}`, deflateSync("")))).toEqual([]);
	});

	test("declared deflate data that does not decompress is a finding; undeclared or nested data is not", () => {
		const broken = Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]);
		for (const filter of ["/FlateDecode", "/Fl"]) expect(listFindings(withStream(`/Filter ${filter}`, broken))).toEqual(["hidden-objects"]);
		expect(listFindings(withStream("", broken))).toEqual([]);
		expect(listFindings(withStream("/Filter /FlateDecode", deflateSync(broken)))).toEqual([]);
		expect(listFindings(withStream("/Filter /DCTDecode", gzipSync(script)))).toEqual([]);
	});

	test("a broken stream, or one without an end, hides nothing after it", () => {
		const broken = stream("", Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]));
		expect(listIn(broken, stream("", deflateSync(packed)))).toEqual(["script"]);
		expect(listFindings(latin1(`1 0 obj << >> stream\n 2 0 obj ${script}`))).toEqual(["script", "hidden-objects"]);
	});

	test("an object that cannot be parsed is a finding", () => {
		expect(listIn("<< /A 1 2 3 >>")).toEqual(["hidden-objects"]);
		expect(listFindings(withStream(flate, deflateSync("50 0 << /A 1 2 3 >>")))).toEqual(["hidden-objects"]);
		expect(listIn("[".repeat(100_000))).toEqual(["hidden-objects"]);
	});

	test("compressed numbers are no places of objects", () => {
		// bytes with digits among them, as deflated ones may have
		expect(listFindings(withStream("/Type /ObjStm /N 1 /First 9", Buffer.from(latin1("\x78\x9c1 0 2 3 <<"))))).toEqual([]);
		expect(listFindings(withStream("/Type /ObjStm /N 1 /First 5", Buffer.from(`80 0 ${script}`)))).toEqual(["script"]);
	});

	test("the numbers at the beginning of a page are no places of objects", () => {
		for (const content of ["10 20 [(a)] TJ << /A 1 2 3 >>", "1 9 /F1 12 Tf <<"])
			expect(listFindings(withStream("/Filter /FlateDecode", deflateSync(content)))).toEqual([]);
	});

	test("decompresses at most three levels", () => {
		expect(listFindings(withStream(flate, deflateSync(deflateSync(deflateSync(deflateSync(packed))))))).toEqual([]);
	});
});

describe("a file that decompresses to more than pages need", () => {
	const zeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 2 ** 20), { level: 1 });

	test("is found in one stream with a wrong header", () => {
		const raw = deflateRawSync(Buffer.alloc(129 * 2 ** 20), { level: 1 });
		expect(listFindings(withStream("/Filter /FlateDecode", Buffer.concat([Buffer.from([0x78, 0x20]), raw])))).toEqual(["inflation"]);
	});

	test("is found in several streams of allowed size", () => {
		const half = stream("/Filter /FlateDecode", zeros(65));
		expect(listIn(half)).toEqual([]);
		const broken = stream("", Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]));
		expect(listIn(broken, half, half)).toEqual(["inflation"]);
	});

	test("is assumed for more than twenty thousand streams", () => {
		const streams = (count: number) => latin1("1 0 obj << >> stream\nendstream endobj\n".repeat(count));
		expect(listFindings(streams(20_000))).toEqual([]);
		expect(listFindings(streams(20_001))).toEqual(["inflation"]);
	});
});

test.each([
	...[
		"http://a.fr",
		"HTTPS://a.fr",
		"mailto:a@a.fr",
		"tel:+33123456789",
		"fax:1",
		"sms:1",
		"www.infogreffe.fr",
		"www.infogreffe.fr:8080",
		"a.fr:80/b",
		"#page=2",
		"a/b:c",
		"",
	].map((address) => [address, true] as const),
	...[
		"file:///a",
		"smb://a",
		"ldap://http:",
		"javascript:1",
		"javascript:1/alert(1)",
		"exemple.app:a",
		"exemple.app:80a",
		"exemple.app:123456",
		"java\nscript:1",
		" jav\0ascript:1",
		"\\\\a\\b",
		"//a/b",
		"/etc",
		"C:\\a",
	].map((address) => [address, false] as const),
])("the address %j is harmless: %s", (address, expected) => expect(isHarmlessAddress(address)).toBe(expected));
