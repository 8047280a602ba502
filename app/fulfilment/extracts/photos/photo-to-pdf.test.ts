import { crc32, deflateSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fourColours, generateJpeg, secretPlace } from "../../../../test/fixtures/photo.ts";
import { drawPage } from "../../drafts/draw-draft.server.ts";
import { encodePng } from "../encode-png.server.ts";
import { examineExtract } from "../examine-extract.server.ts";
import { summarisePdf } from "../summarise-pdf.server.ts";
import { isOtherPicture } from "./photo-header.ts";
import { convertPhoto } from "./photo-to-pdf.server.ts";

async function convert(photo: Uint8Array): Promise<Buffer> {
	const converted = await convertPhoto(photo);
	if (!converted.ok) throw new Error(converted.code);
	return Buffer.from(converted.pdf);
}

/** Draws the page: in each row a byte, then three for each pixel. */
async function drawRows(pdf: Uint8Array) {
	const page = await drawPage(pdf, { page: 1, siren: "552032534" });
	if (page === null) throw new Error("the page cannot be drawn");
	const png = Buffer.from(page.png, "base64");
	const start = png.indexOf("IDAT");
	return { page, rows: inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4))) };
}

/** The edges of the picture on its page in percent: left, right, top, bottom. */
async function readEdges(pdf: Uint8Array): Promise<number[]> {
	const { page, rows } = await drawRows(pdf);
	const [columns, lines] = [new Set<number>(), new Set<number>()];
	for (let y = 0; y < page.height; y++)
		for (let x = 0; x < page.width; x++)
			if (
				rows
					.subarray(y * (page.width * 3 + 1) + 1 + x * 3)
					.subarray(0, 3)
					.some((value) => value < 128)
			) {
				columns.add(x);
				lines.add(y);
			}
	return [
		...[Math.min(...columns), Math.max(...columns)].map((x) => Math.round((x / page.width) * 100)),
		...[Math.min(...lines), Math.max(...lines)].map((y) => Math.round((y / page.height) * 100)),
	];
}

/** Draws the page, and names the colours in the quarters of its picture: above, then below, each from the left. */
async function readQuarters(pdf: Uint8Array): Promise<string> {
	const { page, rows } = await drawRows(pdf);
	const names: Record<string, string> = { "100": "red", "010": "green", "001": "blue", "110": "yellow", "111": "white", "000": "black" };
	const name = (x: number, y: number) => {
		const at = Math.floor(y) * (page.width * 3 + 1) + 1 + Math.floor(x) * 3;
		return names[[...rows.subarray(at, at + 3)].map((value) => (value > 127 ? 1 : 0)).join("")];
	};
	// a square picture fills the width of the page
	const [x, y, quarter] = [page.width / 2, page.height / 2, page.width / 5];
	return [
		name(x - quarter, y - quarter),
		name(x + quarter, y - quarter),
		name(x - quarter, y + quarter),
		name(x + quarter, y + quarter),
	].join(" ");
}

describe("a photo becomes a page of A4", () => {
	// Exif 2.32, tag 0x0112: where the first row and the first column of the picture are seen
	test.each([
		[1, "red green blue yellow"],
		[2, "green red yellow blue"],
		[3, "yellow blue green red"],
		[4, "blue yellow red green"],
		[5, "red blue green yellow"],
		[6, "blue red yellow green"],
		[7, "yellow green blue red"],
		[8, "green yellow red blue"],
	])("turned as Exif's orientation %i says", async (orientation, quarters) => {
		expect(await readQuarters(await convert(generateJpeg({ squares: fourColours, orientation })))).toBe(quarters);
	});

	test("without its metadata, and the same photo is the same file", async () => {
		const photo = generateJpeg({ squares: fourColours, orientation: 6 });
		expect(Buffer.from(photo).toString("latin1").split(secretPlace)).toHaveLength(5);
		const pdf = await convert(photo);
		for (const text of [secretPlace, "Exif", "CreationDate"]) expect(pdf.toString("latin1")).not.toContain(text);
		expect(await convert(photo)).toEqual(pdf);
		expect(await examineExtract({ inspectPdf: summarisePdf, environment: { production: true } }, pdf)).toMatchObject({
			problem: null,
			readable: false,
			pages: 1,
		});
	});

	test("upright for a tall picture, and lying for a wide one, as it is seen", async () => {
		const wide = [[...(fourColours[0] ?? []), ...(fourColours[1] ?? [])]];
		const shape = async (orientation: number) =>
			/MediaBox \[ 0 0 (\d+)/.exec((await convert(generateJpeg({ squares: wide, orientation }))).toString("latin1"))?.[1];
		expect([await shape(1), await shape(6)]).toEqual(["841", "595"]);
	});

	test("in the middle, as large as a margin on each side lets it be", async () => {
		const wide = [[...(fourColours[0] ?? []), ...(fourColours[1] ?? [])]];
		const tall = wide.flat().map((colour) => [colour]);
		const edges = async (squares: typeof wide) => readEdges(await convert(generateJpeg({ squares })));
		expect(await edges(wide)).toEqual([2, 98, 33, 67]);
		expect(await edges(tall)).toEqual([33, 67, 2, 98]);
	});

	const photo = Buffer.from(generateJpeg({ squares: fourColours }));
	const end = photo.lastIndexOf(Buffer.from([0xff, 0xd9]));
	const table = photo.indexOf(Buffer.from([0xff, 0xdb]));
	test.each<[string, Uint8Array, boolean, string]>([
		["a file without the mark of its end", photo.subarray(0, end), true, "red green blue yellow"],
		["a file that is cut in the picture", photo.subarray(0, end - 2), true, "red green blue"],
		["a file with something after its end", Buffer.concat([photo, photo]), false, "red green blue yellow"],
		[
			"bytes between its parts",
			Buffer.concat([photo.subarray(0, table), Buffer.from([0, 1]), photo.subarray(table)]),
			false,
			"red green blue yellow",
		],
		["a PNG with something after its end", Buffer.concat([encodeQuarters(), photo]), false, "red green blue yellow"],
		["a PNG without its end", encodeQuarters().subarray(0, -12), true, "red green blue yellow"],
		["a PNG of 16 bits for a colour", encodeQuarters(16), false, "red green blue yellow"],
	])("from %s", async (_, bytes, isCut, quarters) => {
		const converted = await convertPhoto(bytes);
		expect(converted).toMatchObject({ ok: true, isCut });
		expect(converted.ok && (await readQuarters(Buffer.from(converted.pdf)))).toContain(quarters);
	});

	test("from a PNG too, of which only the pixels stay", async () => {
		const pixels = new Uint8Array(fourColours.flat().flatMap((colour) => [...colour, 255]));
		const png = Buffer.from(encodePng({ width: 2, height: 2, pixels }));
		const text = Buffer.concat([Buffer.from([0, 0, 0, secretPlace.length]), Buffer.from(`tEXt${secretPlace}\0\0\0\0`)]);
		const pdf = await convert(Buffer.concat([png.subarray(0, 33), text, png.subarray(33)]));
		expect(pdf.toString("latin1")).not.toContain(secretPlace);
		expect(await examineExtract({ inspectPdf: summarisePdf, environment: { production: true } }, pdf)).toMatchObject({
			problem: null,
			readable: false,
			pages: 1,
		});
	});
});

describe("a photo is refused", () => {
	const photo = Buffer.from(generateJpeg({ squares: fourColours }));
	test.each([
		["that is cut in its header", photo.subarray(0, 40), "damaged-picture"],
		["of a size that no telephone takes", generateJpeg({ squares: fourColours, size: { width: 60_000, height: 60_000 } }), "large-picture"],
		["that is a PNG of 60 000 × 60 000", pngOfSize(60_000), "large-picture"],
		["that is a PNG without pixels", pngOfSize(20), "damaged-picture"],
		["that is a PNG of 16 million pixels without them", pngOfSize(4000), "damaged-picture"],
		["that is a PNG of more", pngOfSize(4001), "large-picture"],
		["of 10 MB that is none", Buffer.alloc(10 * 2 ** 20), "damaged-picture"],
		["of a byte more", Buffer.alloc(10 * 2 ** 20 + 1), "too-large"],
		["whose page would be too large", padJpeg(10 * 2 ** 20 - 100), "large-picture"],
	])("%s", async (_, bytes, code) => {
		expect(await convertPhoto(bytes)).toEqual({ ok: false, code });
	});

	test("in a format of other telephones and pages", () => {
		const starts = ["\0\0\0\x24ftypheic\0\0\0\0", "RIFF\0\0\0\0WEBPVP8 ", "GIF89a\0\0\0\0\0\0", "\0\0\0\x20ftypavif\0\0\0\0"];
		expect(starts.map((start) => isOtherPicture(Buffer.from(start, "latin1")))).toEqual(starts.map(() => true));
		expect(isOtherPicture(Buffer.from("Extrait Kbis"))).toBe(false);
	});
});

/** A JPEG of a size in bytes, for the tables in it. */
function padJpeg(bytes: number): Buffer {
	const photo = Buffer.from(generateJpeg({ squares: fourColours }));
	const parts = [photo.subarray(0, 2)];
	for (let left = bytes - photo.length; left > 0; ) {
		const length = Math.min(left, 65_000);
		const table = Buffer.alloc(length);
		table.set([0xff, 0xdb, (length - 2) >> 8, (length - 2) & 255]);
		parts.push(table);
		left -= length;
	}
	return Buffer.concat([...parts, photo.subarray(2)]);
}

/** A PNG of four pixels, for each colour of 8 or 16 bits. */
function encodeQuarters(bits = 8): Buffer {
	const sample = (value: number) => (bits === 16 ? [value, value] : [value]);
	const rows = fourColours.map((row) => [0, ...row.flatMap((colour) => colour.flatMap(sample))]);
	const chunk = (name: string, data: Buffer) => {
		const named = Buffer.concat([Buffer.from(name), data]);
		const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
		length.writeUInt32BE(data.length);
		checksum.writeUInt32BE(crc32(named));
		return Buffer.concat([length, named, checksum]);
	};
	const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, bits, 2, 0, 0, 0]);
	const data = deflateSync(Buffer.from(rows.flat()));
	return Buffer.concat([
		Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
		chunk("IHDR", header),
		chunk("IDAT", data),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

/** A PNG whose header only says how large it is. */
function pngOfSize(side: number): Buffer {
	const png = Buffer.from(encodePng({ width: 2, height: 2, pixels: new Uint8Array(16) }));
	png.writeUInt32BE(side, 16);
	png.writeUInt32BE(side, 20);
	return png.subarray(0, 33);
}
