import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { extractLines, generatePdf, stream } from "../../../test/fixtures/pdf.ts";
import { encodePng } from "../extracts/encode-png.server.ts";
import { normalize, normalizeWithSources } from "../extracts/extract-patterns.ts";
import { findMarks } from "../extracts/find-marks.ts";
import { drawPage } from "./draw-draft.server.ts";

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

/** Finds the box of each colour of a page: left, top, right, bottom. */
function findBoxes({ png }: { png: string }): Map<string, number[]> {
	const { width, height, getPixel } = decodePng(Buffer.from(png, "base64"));
	const boxes = new Map<string, number[]>();
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) {
			const colour = getPixel(x, y).join(" ");
			const [left = x, top = y, right = x, bottom = y] = boxes.get(colour) ?? [];
			boxes.set(colour, [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]);
		}
	return boxes;
}

describe("the picture of a page", () => {
	test("marks the SIREN and the date in different colours", async () => {
		const page = await draw(generatePdf());
		expect(page).toMatchObject({ width: 1000, height: 1415, marks: ["siren", "date"] });
		const boxes = page && findBoxes(page);
		// eleven points of text, three pixels around it, the lower two of which are the line
		expect(["190 240 200", "20 110 60"].map((colour) => boxes?.get(colour))).toEqual([
			[355, 135, 461, 152],
			[355, 153, 461, 154],
		]);
		expect(["255 236 150", "150 100 0"].map((colour) => boxes?.get(colour))).toEqual([
			[309, 111, 467, 128],
			[309, 129, 467, 130],
		]);
	});

	test("marks another company's SIREN as wrong", async () => {
		const page = await draw(generatePdf({ lines: extractLines({ siren: "732 829 320" }) }));
		expect(page?.marks).toEqual(["other-siren", "date"]);
		const boxes = page && findBoxes(page);
		expect(["255 200 195", "180 30 30", "190 240 200"].map((colour) => boxes?.has(colour))).toEqual([true, true, false]);
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
		[
			"552.032.534, 552032534, 5520325341, 1552032534. Extrait du 3 mars 2020, à jour au 4 mars 2020",
			[
				["siren", "552.032.534"],
				["siren", "552032534"],
				["date", "4 mars 2020"],
			],
		],
		["Extrait du 3 mars 2020", [["date", "3 mars 2020"]]],
		[`552032534 `.repeat(13).trim(), Array(12).fill(["siren", "552032534"])],
	])("« %s »", (text, marks) => expect(listMarked(text)).toEqual(marks));

	test.each(["É  é\u0301 ﬁ \r\n\t’İ 552", "", "\u0301", "𝒳 a"])("are found at their place in « %s »", (text) => {
		const { text: normalized, sources } = normalizeWithSources(text);
		expect(normalized).toBe(normalize(text));
		expect(sources).toHaveLength(normalized.length);
	});
});

test("a PNG keeps every colour", () => {
	const png = encodePng({ width: 2, height: 2, pixels: new Uint8Array([1, 2, 3, 0, 250, 251, 252, 0, 4, 5, 6, 0, 7, 8, 9, 0]) });
	const { width, height, getPixel } = decodePng(png);
	expect([width, height, getPixel(0, 0), getPixel(1, 0), getPixel(0, 1), getPixel(1, 1)]).toEqual([
		...[2, 2, [1, 2, 3], [250, 251, 252], [4, 5, 6], [7, 8, 9]],
	]);
	const bytes = Buffer.from(png).toString("hex");
	// eight bits for each of three colours, and the checksums
	expect(bytes.slice(16, 66)).toBe(`0000000d${"4948445200000002000000020802000000"}fdd49a73`);
	expect(bytes.slice(-24)).toBe("0000000049454e44ae426082");
});
