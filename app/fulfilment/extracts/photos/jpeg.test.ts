import { describe, expect, test } from "vitest";
import { encodePng } from "../encode-png.server.ts";
import { isOtherPicture, isPhoto, isPhotoPdf, listSegments, readPhotoHeader } from "./photo-header.ts";
import { stripJpeg } from "./strip-jpeg.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const segment = (marker: number, data: Buffer) => {
	const length = data.length + 2;
	return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), data]);
};
const jpeg = (...parts: Buffer[]) => Buffer.concat([hex("ffd8"), ...parts, hex("ffd9")]);
/** A frame of 258 × 3 pixels. */
const frame = (marker: number) => segment(marker, hex("08 0003 0102 01"));

test.each<[string, boolean, boolean]>([
	["\xff\xd8\xff\xe0\0\x10JFIF", true, false],
	["\x89PNG\r\n\x1a\n", true, false],
	["\xff\xd8", false, false],
	[" \xff\xd8\xff", false, false],
	[" \x89PNG\r\n", false, false],
	["RIFF1234WEBP", false, true],
	["RIFF1234WAVE", false, false],
	["GIF87a", false, true],
	["GIF89a", false, true],
	["\0\0\0\x0cjP  \r\n\x87\n", false, true],
	["\0\0\0\x0cJXL \r\n\x87\n", false, true],
	["\xff\x0a", false, true],
	["II*\0", false, true],
	["MM\0*", false, true],
	["BM1234\0\0\0\0", false, true],
	["BM1234\0\0\0\x01", false, false],
	...["heic", "heim", "heis", "heix", "hevc", "hevm", "hevs", "hevx", "mif1", "msf1", "avif", "avis"].map(
		(brand): [string, boolean, boolean] => [`\0\0\0\x20ftyp${brand}`, false, true],
	),
	["\0\0\0\x20ftypisom", false, false],
	[" GIF89a", false, false],
	["%PDF-1.7", false, false],
])("%j is a photo: %s, another picture: %s", (start, photo, other) => {
	expect([isPhoto(latin1(start)), isOtherPicture(latin1(start))]).toEqual([photo, other]);
});

describe("the header of a photo", () => {
	const png = (width: number, height: number) => {
		const bytes = Buffer.from(encodePng({ width: 1, height: 1, pixels: new Uint8Array(4) }));
		bytes.writeUInt32BE(width, 16);
		bytes.writeUInt32BE(height, 20);
		return bytes;
	};
	const size = (bytes: Uint8Array) => {
		const header = readPhotoHeader(bytes);
		return header && [header.format, header.width, header.height];
	};

	test.each([
		["a PNG", png(70_000, 3), ["png", 70_000, 3]],
		["the header alone of a PNG", png(7, 3).subarray(0, 33), ["png", 7, 3]],
		["a PNG whose header is cut", png(7, 3).subarray(0, 32), null],
		["a PNG with another chunk first", latin1(png(7, 3).toString("latin1").replace("IHDR", "JHDR")), null],
		["a PNG without width", png(0, 3), null],
		["a PNG without height", png(7, 0), null],
		["a JPEG", jpeg(frame(0xc0)), ["jpeg", 258, 3]],
		["a progressive JPEG after tables", jpeg(segment(0xc4, Buffer.alloc(9, 9)), frame(0xc2)), ["jpeg", 258, 3]],
		["the last kind of frame", jpeg(segment(0xbf, Buffer.alloc(9, 9)), frame(0xcf)), ["jpeg", 258, 3]],
		["a JPEG without a frame", jpeg(...[0xc4, 0xc8, 0xcc, 0xbf, 0xd0].map(frame)), null],
		["a JPEG whose frame is short", jpeg(segment(0xc0, hex("08 0003 0102"))), null],
		["a JPEG without height", jpeg(segment(0xc0, hex("08 0000 0102 01"))), null],
		["a part of a larger memory", Buffer.concat([Buffer.alloc(5), jpeg(frame(0xc1))]).subarray(5), ["jpeg", 258, 3]],
		["no photo", latin1("GIF89a and more than thirty-three bytes of it"), null],
	])("of %s", (_, bytes, expected) => expect(size(bytes)).toEqual(expected));
});

describe("the segments of a JPEG", () => {
	const list = (bytes: Buffer) =>
		[...listSegments(bytes)].map(({ marker, start, end }) => [marker.toString(16), bytes.toString("hex", start, end)].join(" "));

	test.each([
		["end with the image", "ffd8 ffe00004aabb ffd9 ffe10002", ["e0 ffe00004aabb", "d9 ffd9"]],
		["may follow filling", "ffd8 ffffffe00002 ffffd9", ["e0 ffe00002", "d9 ffd9"]],
		[
			"have the data of a scan, with stuffed bytes and restarts",
			"ffd8 ffda0002 01ff0002ffd003ffd704ffff ffd9",
			["da ffda000201ff0002ffd003ffd704ffff", "d9 ffd9"],
		],
		["go on after a scan", "ffd8 ffda000201 ffcf0002 ffda000202 ffd8", ["da ffda000201", "cf ffcf0002", "da ffda000202"]],
		["are cut with a scan that has no end", "ffd8 ffda00020102", ["da ffda00020102"]],
		["may end with the file", "ffd8 ffe00004aabb", ["e0 ffe00004aabb"]],
		["are left out when they are cut", "ffd8 ffe00004aa", []],
		["are left out when they are shorter than their length", "ffd8 ffe00001 ffd9", []],
		["may follow what is no marker, as decoders pass over it", "ffd8 00 ffe00002 00ff00 ffd9", ["e0 ffe00002", "d9 ffd9"]],
		["have the end of a thumbnail inside", "ffd8 ffe10006ffd8ffd9 ffda000201 ffd9", ["e1 ffe10006ffd8ffd9", "da ffda000201", "d9 ffd9"]],
		["are those of the first picture of several", "ffd8 ffda000201 ffd9 ffd8 ffda000202 ffd9", ["da ffda000201", "d9 ffd9"]],
		["need two bytes", "ffd8 ff", []],
	])("%s", (_, bytes, expected) => expect(list(hex(bytes))).toEqual(expected));
});

describe("a stripped JPEG", () => {
	const strip = (bytes: Uint8Array) => {
		const stripped = stripJpeg(bytes);
		return stripped && Buffer.from(stripped.bytes).toString("hex");
	};
	const keeps = (...parts: Buffer[]) => jpeg(...parts).toString("hex");

	test("has what a decoder needs, without the rest", () => {
		const needed = [0xc0, 0xc4, 0xc7, 0xc9, 0xcc, 0xcf, 0xda, 0xdb, 0xdd].map((marker) => segment(marker, hex("01")));
		const others = [0xbf, 0xc8, 0xdc, 0xde, 0xe0, 0xe1, 0xef, 0xf0, 0xfe].map((marker) => segment(marker, hex("02")));
		expect(strip(Buffer.concat([jpeg(...others, ...needed, ...others), latin1("more")]))).toBe(keeps(...needed));
	});

	test("has the twelve bytes of Adobe's segment, and nothing behind them", () => {
		const adobe = segment(0xee, latin1("Adobe\0\x64\0\0\0\0\x01"));
		expect(strip(jpeg(adobe))).toBe(keeps(adobe));
		expect(strip(jpeg(segment(0xee, latin1("Adobe\0\x64\0\0\0\0\x01secret"))))).toBe(keeps(adobe));
		expect(strip(jpeg(segment(0xee, latin1("Adobe\0\x64\0\0\0\0"))))).toBe(keeps());
		expect(strip(jpeg(segment(0xee, latin1("Other\0\x64\0\0\0\0\x01"))))).toBe(keeps());
	});

	test("has its end, also when the file does not", () => {
		const scan = [segment(0xdb, hex("01")), segment(0xda, hex("01"))];
		expect(stripJpeg(jpeg(...scan))).toMatchObject({ isCut: false });
		for (const missing of [1, 2]) {
			const cut = jpeg(...scan).subarray(0, -missing);
			expect(stripJpeg(cut)).toMatchObject({ isCut: true });
			expect(strip(cut)).toMatch(/^ffd8.*ffd9$/);
		}
		expect(strip(jpeg(...scan).subarray(0, -2))).toBe(keeps(...scan));
		// without a picture, and without an end
		expect(stripJpeg(jpeg(segment(0xdb, hex("01"))).subarray(0, -2))).toBeNull();
	});

	const exif = (tiff: string) => segment(0xe1, Buffer.concat([latin1("Exif\0\0"), hex(tiff)]));
	const big = "4d4d002a 00000008";
	const little = "49492a00 08000000";
	test.each([
		["in the order of Motorola", [exif(`${big} 0001 0112 0003 00000001 0006 0000`)], 6],
		["in the order of Intel", [exif(`${little} 0100 1201 0300 01000000 0800 0000`)], 8],
		["of the last kind", [exif(`${big} 0001 0112 0003 00000001 0008 0000`)], 8],
		["of no kind", [exif(`${big} 0001 0112 0003 00000001 0009 0000`)], 1],
		["of no kind either", [exif(`${big} 0001 0112 0003 00000001 0000 0000`)], 1],
		["after another entry", [exif(`${big} 0002 0100 0003 00000001 0003 0000 0112 0003 00000001 0005 0000`)], 5],
		["beyond the entries that are counted", [exif(`${big} 0001 0100 0003 00000001 0003 0000 0112 0003 00000001 0005 0000`)], 1],
		["in a directory elsewhere", [exif("4d4d002a 0000000a ffff 0001 0112 0003 00000001 0007 0000")], 7],
		["that is cut", [exif(`${big} 0001 0112 0003 00000001 0006 00`)], 1],
		["in a directory beyond the end", [exif("4d4d002a 000000ff")], 1],
		["in a header that is cut", [exif("4d4d002a 000008")], 1],
		["of another kind of data", [segment(0xe1, Buffer.concat([latin1("Exic\0\0"), hex(`${big} 0001 0112 0003 00000001 0006 0000`)]))], 1],
		["before other data", [exif(`${big} 0001 0112 0003 00000001 0006 0000`), segment(0xe1, latin1("http://ns.adobe.com/xap/1.0/\0"))], 6],
		["in another segment", [segment(0xe2, Buffer.concat([latin1("Exif\0\0"), hex(`${big} 0001 0112 0003 00000001 0006 0000`)]))], 1],
	])("has the orientation %s", (_, parts, orientation) => {
		expect(stripJpeg(jpeg(...parts))?.orientation).toBe(orientation);
	});
});

test.each([
	["/XObject << /Photo-123 5 0 R >>", true],
	["/XObject\n<<\n/Photo-1 12 0 R\n>>", true],
	["/XObject << /Photo-123 5 0 R /X 6 0 R >>", false],
	["/XObject << /Image-123 5 0 R >>", false],
])("« %s » is in the PDF of a photo: %s", (text, expected) => {
	expect(isPhotoPdf(Buffer.concat([Buffer.alloc(7), latin1(text)]).subarray(7))).toBe(expected);
	expect(isPhotoPdf(Buffer.concat([latin1(text), latin1("more")]).subarray(text.length))).toBe(false);
});
