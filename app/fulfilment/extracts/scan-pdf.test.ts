import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { generatePdf, stream } from "../../../test/fixtures/pdf.ts";
import { scanPdf } from "./scan-pdf.server.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const listFindings = (pdf: Uint8Array) => [...scanPdf(pdf).findings];
const script = "<< /S /JavaScript /JS (1) >>";
/** Only the short name, which counts among objects only. */
const shortScript = "<< /JS (1) >>";
const withStream = (dictionary: string, bytes: Buffer) => generatePdf({ objects: [stream(dictionary, bytes)] });

/** ISO 32000-2, 12.6 (actions), 12.5.6 (annotations), 7.11 (file specifications). */
describe("what an extract does not need is found by its name", () => {
	test.each([
		["JavaScript", "script"],
		["JS", "script"],
		["AA", "automatic-action"],
		["Launch", "launch"],
		["GoToR", "launch"],
		["GoToE", "launch"],
		["EmbeddedFile", "attachment"],
		["EmbeddedFiles", "attachment"],
		["FileAttachment", "attachment"],
		["EF", "attachment"],
		["RichMedia", "media"],
		["RichMediaContent", "media"],
		["Rendition", "media"],
		["3D", "media"],
		["SubmitForm", "form-sending"],
		["ImportData", "form-sending"],
		["XFA", "xfa"],
	])("/%s is the finding %s", (name, finding) => {
		expect(listFindings(generatePdf({ objects: [`<< /A /${name} >>`] }))).toEqual([finding]);
		expect(listFindings(generatePdf({ trailer: `/A /${name}` }))).toEqual([finding]); // also after the last stream
	});

	test("other names are no finding", () => {
		const names = ["JSON", "AAA", "Launcher", "constructor", "toString", "__proto__", "hasOwnProperty", "GoTo", "URI", "Named"];
		expect(scanPdf(generatePdf({ objects: names.map((name) => `<< /A /${name} >>`) }))).toEqual({
			findings: new Set(),
			encrypted: false,
			openActions: 0,
		});
	});

	test("short names count among objects, but not in page content, where they occur by chance", () => {
		expect(listFindings(withStream("", Buffer.from("q /JS Do Q")))).toEqual([]);
		expect(listFindings(withStream("/Filter /FlateDecode", deflateSync("q /JS Do Q")))).toEqual([]);
		expect(listFindings(withStream("", Buffer.from("/First 5\nstream\n/JS")))).toEqual([]);
		expect(listFindings(withStream("", Buffer.from("q /JavaScript Do Q")))).toEqual(["script"]);
		expect(listFindings(withStream("/Filter /FlateDecode", deflateSync("q /JavaScript Do Q")))).toEqual(["script"]);
	});

	test("reports encryption, and open actions other than a destination in the document", () => {
		expect(scanPdf(generatePdf({ trailer: "/Encrypt 9 0 R" })).encrypted).toBe(true);
		expect(scanPdf(generatePdf({ trailer: "/Encr#79pt 9 0 R" })).encrypted).toBe(true);
		expect(scanPdf(withStream("", Buffer.from("/Encrypt /OpenAction"))).encrypted).toBe(false);
		expect(scanPdf(generatePdf({ catalog: "/OpenAction [3 0 R /Fit]" })).openActions).toBe(0);
		expect(scanPdf(generatePdf({ catalog: `/OpenAction\0${" ".repeat(30)}[3 0 R /Fit]` })).openActions).toBe(0);
		expect(scanPdf(generatePdf({ catalog: "/OpenAction 9 0 R" })).openActions).toBe(1);
	});
});

describe("finds objects in a stream", () => {
	const packed = Buffer.from(`50 0 ${shortScript}`);
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
		["after objects without a name", withStream(flate, deflateSync(`50 0 51 5 true ${shortScript}`))],
		["without its checksum", withStream(flate, deflateSync(packed).subarray(0, -4))],
		[
			"with a wrong header, which some readers accept",
			withStream(flate, Buffer.concat([Buffer.from([0x78, 0x20]), deflateRawSync(packed)])),
		],
		["inside another stream", withStream("", Buffer.concat([Buffer.from("\nstream\n"), deflateSync(packed)]))],
		["with an encoded name", withStream(flate, deflateSync(`50 0 << /#4a#53 (1) >>`))],
	])("%s", (_, pdf) => {
		expect(listFindings(pdf)).toEqual(["script"]);
	});

	test.each([
		["ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "LZWDecode", "LZW", "RunLengthDecode", "RL", "Crypt", "DecodeParms", "LZ#57Decode"],
	])("a filter that cannot be decoded is a finding: %s", (...names) => {
		for (const name of names)
			expect(listFindings(withStream(`/Type /ObjStm /Filter /${name}`, Buffer.from("3530"))), name).toEqual(["hidden-objects"]);
		for (const name of names) expect(listFindings(withStream(`/Filter /${name}`, Buffer.from("3530"))), name).toEqual([]);
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
		expect(listFindings(generatePdf({ objects: [broken, stream("", deflateSync(packed))] }))).toEqual(["script"]);
		expect(listFindings(latin1(`1 0 obj stream\n ${shortScript}`))).toEqual(["script"]);
	});

	test("decompresses at most three levels", () => {
		expect(listFindings(withStream(flate, deflateSync(deflateSync(deflateSync(deflateSync(packed))))))).toEqual([]);
	});

	test("ignores the dictionary of the previous object", () => {
		const before = stream("/Type /ObjStm /N 1 /First 5", Buffer.from(""));
		expect(listFindings(generatePdf({ objects: [before, stream("/Filter /ASCIIHexDecode", Buffer.from("3530"))] }))).toEqual([]);
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
		expect(listFindings(generatePdf({ objects: [half] }))).toEqual([]);
		const broken = stream("", Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]));
		expect(listFindings(generatePdf({ objects: [broken, half, half] }))).toEqual(["inflation"]);
	});

	test("is assumed for more than twenty thousand streams", () => {
		const streams = (count: number) => latin1("1 0 obj stream\nendstream\n".repeat(count));
		expect(listFindings(streams(20_000))).toEqual([]);
		expect(listFindings(streams(20_001))).toEqual(["inflation"]);
	});
});
