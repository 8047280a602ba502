import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { extractLines, generatePdf, stream } from "../../test/fixtures/pdf.ts";
import { drawPage } from "./draw-page.server.ts";
import { encodePng } from "./encode-png.server.ts";
import { normalize, normalizeWithSources } from "./extract-patterns.ts";
import { findMarks } from "./find-marks.ts";

const siren = "552032534";
const draw = (bytes: Uint8Array, page = 1) => drawPage(bytes, { page, siren });

/** Decodes a PNG of `encodePng`: three bytes for each pixel. */
function decodePng(png: Uint8Array) {
	const file = Buffer.from(png);
	expect(file.toString("latin1", 0, 8)).toBe("\x89PNG\r\n\x1a\n");
	const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
	const start = file.indexOf("IDAT");
	const rows = inflateSync(file.subarray(start + 4, start + 4 + file.readUInt32BE(start - 4)));
	const getPixel = (x: number, y: number) => [...rows.subarray(y * (width * 3 + 1) + 1 + x * 3).subarray(0, 3)];
	return { width, height, getPixel };
}

/** Counts the pixels of a page that are neither grey nor white. */
function countColours({ png }: { png: string }): Map<string, number> {
	const { width, height, getPixel } = decodePng(Buffer.from(png, "base64"));
	const counts = new Map<string, number>();
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) {
			const colour = getPixel(x, y).join(" ");
			if (new Set(colour.split(" ")).size > 1) counts.set(colour, (counts.get(colour) ?? 0) + 1);
		}
	return counts;
}

describe("the picture of a page", () => {
	test("marks the SIREN and the date in different colours", async () => {
		const page = await draw(generatePdf());
		expect(page).toMatchObject({ width: 1000, height: 1415, marks: ["siren", "date"] });
		const colours = page && countColours(page);
		for (const background of ["190 240 200", "255 236 150"]) expect(colours?.get(background)).toBeGreaterThan(500);
	});

	test("marks another company's SIREN as wrong", async () => {
		const page = await draw(generatePdf({ lines: extractLines({ siren: "732 829 320" }) }));
		expect(page?.marks).toEqual(["other-siren", "date"]);
	});

	test("of a scan has no mark, and of a later page its own", async () => {
		expect((await draw(generatePdf({ lines: ["1/1"] })))?.marks).toEqual([]);
		expect((await draw(generatePdf({ pages: 3 }), 3))?.marks).toEqual(["siren", "date"]);
	});

	test("fits a page of any shape into the limits", async () => {
		const shape = (box: string) => draw(generatePdf({ page: `/MediaBox [${box}]` }));
		expect(await shape("0 0 10 14000")).toMatchObject({ width: 1, height: 1600 });
		expect(await shape("0 0 14000 10")).toMatchObject({ width: 1000, height: 1 });
	});

	test("is not drawn of a file with active content, without that page, or that is no PDF", async () => {
		expect(await draw(generatePdf({ objects: ["<< /S /JavaScript /JS (1) >>"] }))).toBeNull();
		expect(await draw(generatePdf(), 2)).toBeNull();
		expect(await draw(generatePdf(), 0)).toBeNull();
		expect(await draw(new TextEncoder().encode("%PDF-1.7 nothing"))).toBeNull();
	});

	test("is not drawn when it takes for ever", async () => {
		const nested = Array.from({ length: 20 }, (_, level) =>
			stream(
				`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${11 + level} 0 R >> >>`,
				Buffer.from(level === 19 ? "BT /F1 9 Tf (ha) Tj ET" : "/X Do ".repeat(10)),
			),
		);
		expect(await draw(generatePdf({ content: { dictionary: "", bytes: Buffer.from("/X Do") }, objects: nested }))).toBeNull();
	});
});

describe("marks in a text", () => {
	const listMarked = (text: string) => findMarks(text, siren).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

	test.each([
		[
			"Extrait à jour au 21 novembre 2026 à 10:32\r\n552 032 534 R.C.S. Paris",
			[
				["siren", "552 032 534"],
				["date", "21 novembre 2026 à 10:32"],
			],
		],
		[
			"Délivré le 1er février 2026, 732\u00a0829\u00a0320 R.C.S.",
			[
				["other-siren", "732\u00a0829\u00a0320"],
				["date", "1er février 2026"],
			],
		],
		["rien", []],
	])("« %s »", (text, marks) => expect(listMarked(text)).toEqual(marks));

	test.each(["É  é\u0301 ﬁ \r\n\t’İ 552", "", "\u0301", "𝒳 a"])("are found at their place in « %s »", (text) => {
		const { text: normalized, sources } = normalizeWithSources(text);
		expect(normalized).toBe(normalize(text));
		expect(sources).toHaveLength(normalized.length);
	});
});

test("a PNG keeps every colour", () => {
	const { width, height, getPixel } = decodePng(encodePng({ width: 2, height: 1, pixels: new Uint8Array([1, 2, 3, 0, 250, 251, 252, 0]) }));
	expect([width, height, getPixel(0, 0), getPixel(1, 0)]).toEqual([2, 1, [1, 2, 3], [250, 251, 252]]);
});
