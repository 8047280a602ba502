import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { generatePdf, stream } from "../../test/fixtures/pdf.ts";
import { scanPdf } from "./scan-pdf.server.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const findingsOf = (pdf: Uint8Array) => [...scanPdf(pdf).findings];
const script = "<< /S /JavaScript /JS (1) >>";
/** The short name alone, which counts among objects only. */
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
	])("/%s: %s", (name, finding) => {
		expect(findingsOf(generatePdf({ objects: [`<< /A /${name} >>`] }))).toEqual([finding]);
		expect(findingsOf(generatePdf({ trailer: `/A /${name}` }))).toEqual([finding]); // also after the last stream
	});

	test("and by no other name", () => {
		const names = ["JSON", "AAA", "Launcher", "constructor", "toString", "__proto__", "hasOwnProperty", "GoTo", "URI", "Named"];
		expect(scanPdf(generatePdf({ objects: names.map((name) => `<< /A /${name} >>`) }))).toEqual({
			findings: new Set(),
			encrypted: false,
			openActions: 0,
		});
	});

	test("a short one counts among objects, and not in the drawing of a page, which may have it by chance", () => {
		expect(findingsOf(withStream("", Buffer.from("q /JS Do Q")))).toEqual([]);
		expect(findingsOf(withStream("/Filter /FlateDecode", deflateSync("q /JS Do Q")))).toEqual([]);
		expect(findingsOf(withStream("", Buffer.from("/First 5\nstream\n/JS")))).toEqual([]);
		expect(findingsOf(withStream("", Buffer.from("q /JavaScript Do Q")))).toEqual(["script"]);
		expect(findingsOf(withStream("/Filter /FlateDecode", deflateSync("q /JavaScript Do Q")))).toEqual(["script"]);
	});

	test("encryption is seen, and what happens at the opening unless it is a place in the document", () => {
		expect(scanPdf(generatePdf({ trailer: "/Encrypt 9 0 R" })).encrypted).toBe(true);
		expect(scanPdf(generatePdf({ trailer: "/Encr#79pt 9 0 R" })).encrypted).toBe(true);
		expect(scanPdf(withStream("", Buffer.from("/Encrypt /OpenAction"))).encrypted).toBe(false);
		expect(scanPdf(generatePdf({ catalog: "/OpenAction [3 0 R /Fit]" })).openActions).toBe(0);
		expect(scanPdf(generatePdf({ catalog: `/OpenAction\0${" ".repeat(30)}[3 0 R /Fit]` })).openActions).toBe(0);
		expect(scanPdf(generatePdf({ catalog: "/OpenAction 9 0 R" })).openActions).toBe(1);
	});
});

describe("objects in a stream are looked at, however they are packed", () => {
	const packed = Buffer.from(`50 0 ${shortScript}`);
	const flate = "/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode";
	test.each<[string, Uint8Array]>([
		["not at all", withStream("/Type /ObjStm /N 1 /First 5", packed)],
		["deflated", withStream(flate, deflateSync(packed))],
		[
			"as if it were a picture, of which only the numbers and offsets tell",
			withStream("/Type /XObject /Filter /FlateDecode", deflateSync(packed)),
		],
		["without a word of its filter", withStream("", deflateSync(packed))],
		["deflated three times", withStream(flate, deflateSync(deflateSync(deflateSync(packed))))],
		["after others that are only words", withStream(flate, deflateSync(`50 0 51 5 true ${shortScript}`))],
		["without its checksum", withStream(flate, deflateSync(packed).subarray(0, -4))],
		[
			"with a wrong header, which some readers forgive",
			withStream(flate, Buffer.concat([Buffer.from([0x78, 0x20]), deflateRawSync(packed)])),
		],
		["within another stream's bytes", withStream("", Buffer.concat([Buffer.from("\nstream\n"), deflateSync(packed)]))],
		["with the name written with numbers", withStream(flate, deflateSync(`50 0 << /#4a#53 (1) >>`))],
	])("%s", (_, pdf) => {
		expect(findingsOf(pdf)).toEqual(["script"]);
	});

	test.each([
		["ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "LZWDecode", "LZW", "RunLengthDecode", "RL", "Crypt", "DecodeParms", "LZ#57Decode"],
	])("what is packed so that it cannot be looked at is a finding by itself: %s", (...names) => {
		for (const name of names)
			expect(findingsOf(withStream(`/Type /ObjStm /Filter /${name}`, Buffer.from("3530"))), name).toEqual(["hidden-objects"]);
		for (const name of names) expect(findingsOf(withStream(`/Filter /${name}`, Buffer.from("3530"))), name).toEqual([]);
	});

	test("so is what says that it is deflated and does not unpack; in a packing within, or without a word of it, it may be chance", () => {
		const broken = Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]);
		for (const filter of ["/FlateDecode", "/Fl"]) expect(findingsOf(withStream(`/Filter ${filter}`, broken))).toEqual(["hidden-objects"]);
		expect(findingsOf(withStream("", broken))).toEqual([]);
		expect(findingsOf(withStream("/Filter /FlateDecode", deflateSync(broken)))).toEqual([]);
		expect(findingsOf(withStream("/Filter /DCTDecode", gzipSync(script)))).toEqual([]);
	});

	test("what does not unpack hides nothing that comes after it, and neither does a stream without an end", () => {
		const broken = stream("", Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]));
		expect(findingsOf(generatePdf({ objects: [broken, stream("", deflateSync(packed))] }))).toEqual(["script"]);
		expect(findingsOf(latin1(`1 0 obj stream\n ${shortScript}`))).toEqual(["script"]);
	});

	test("but not below three packings, so that none is unpacked for ever", () => {
		expect(findingsOf(withStream(flate, deflateSync(deflateSync(deflateSync(deflateSync(packed))))))).toEqual([]);
	});

	test("the dictionary of the object before says nothing of this one", () => {
		const before = stream("/Type /ObjStm /N 1 /First 5", Buffer.from(""));
		expect(findingsOf(generatePdf({ objects: [before, stream("/Filter /ASCIIHexDecode", Buffer.from("3530"))] }))).toEqual([]);
	});
});

describe("a file that unpacks to more than pages need", () => {
	const zeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 2 ** 20), { level: 1 });

	test("in one stream, whatever its header says", () => {
		const raw = deflateRawSync(Buffer.alloc(129 * 2 ** 20), { level: 1 });
		expect(findingsOf(withStream("/Filter /FlateDecode", Buffer.concat([Buffer.from([0x78, 0x20]), raw])))).toEqual(["inflation"]);
	});

	test("or in several, each of which would be allowed", () => {
		const half = stream("/Filter /FlateDecode", zeros(65));
		expect(findingsOf(generatePdf({ objects: [half] }))).toEqual([]);
		const broken = stream("", Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]));
		expect(findingsOf(generatePdf({ objects: [broken, half, half] }))).toEqual(["inflation"]);
	});

	test("or that has more streams than are looked at: twenty thousand", () => {
		const streams = (count: number) => latin1("1 0 obj stream\nendstream\n".repeat(count));
		expect(findingsOf(streams(20_000))).toEqual([]);
		expect(findingsOf(streams(20_001))).toEqual(["inflation"]);
	});
});
