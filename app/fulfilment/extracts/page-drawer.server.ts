import { buffer } from "node:stream/consumers";
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";
import { watchLimits } from "./confined-limits.server.ts";
import { encodePng, type Picture } from "./encode-png.server.ts";
import { type DrawnPage, findMarks, type MarkKind } from "./find-marks.ts";
import { scanPdf } from "./scan-pdf.server.ts";

// A program that draw-draft.server.ts starts for one page: it reads a PDF from standard input and writes the page as PNG, in JSON.
// A malicious file can only end this process. Arguments: processor time in milliseconds, page, ordered SIREN.

const width = 1000; // pixels
const maxHeight = 1600; // pixels: even a page of noise stays below the limit of runConfined's output
const margin = 3; // pixels around a mark

/** Red, green and blue of a highlighter, and of the line below it. */
const colours: Record<MarkKind, { light: readonly number[]; dark: readonly number[] }> = {
	siren: { light: [190, 240, 200], dark: [20, 110, 60] },
	"other-siren": { light: [255, 200, 195], dark: [180, 30, 30] },
	date: { light: [255, 236, 150], dark: [150, 100, 0] },
};

watchLimits();
const page = await draw(new Uint8Array(await buffer(process.stdin)), Number(process.argv[3]), process.argv[4] ?? "");
process.stdout.write(JSON.stringify(page), () => process.exit());

async function draw(bytes: Uint8Array, number: number, siren: string): Promise<DrawnPage | null> {
	const { findings, encrypted } = scanPdf(bytes);
	if (encrypted || findings.size > 0) return null;
	const opened = await openPage(bytes, number).catch(() => null);
	if (opened === null) return null;
	const { originalWidth, originalHeight } = opened.page.getOriginalSize();
	if (!(originalWidth > 0 && originalHeight > 0)) return null;
	const scale = Math.min(width / originalWidth, maxHeight / originalHeight);
	const size = { width: Math.max(1, Math.floor(originalWidth * scale)), height: Math.max(1, Math.floor(originalHeight * scale)) };
	const marks = findTextBoxes(opened.page, size, (text) => findMarks(text, siren));
	const { data: pixels } = await opened.page.render({ ...size, scale: 1, render: async ({ data }) => data });
	const picture = { ...size, pixels };
	for (const { kind, boxes } of marks) for (const box of boxes) highlight(picture, box, colours[kind]);
	return { ...size, png: Buffer.from(encodePng(picture)).toString("base64"), marks: [...new Set(marks.map(({ kind }) => kind))] };
}

/** Multiplies the pixels of a box with a light colour, so that its text stays readable, and draws a line below it. */
function highlight(
	{ width, height, pixels }: Picture,
	box: Box,
	{ light, dark }: { light: readonly number[]; dark: readonly number[] },
): void {
	const [left, right] = [Math.max(0, box.left - margin), Math.min(width, box.right + margin)];
	const [top, bottom] = [Math.max(0, box.top - margin), Math.min(height, box.bottom + margin)];
	for (let y = top; y < bottom; y++)
		for (let x = left; x < right; x++)
			for (let colour = 0; colour < 3; colour++) {
				const at = (y * width + x) * 4 + colour;
				pixels[at] = y >= bottom - 2 ? (dark[colour] ?? 0) : ((pixels[at] ?? 0) * (light[colour] ?? 255)) / 255;
			}
}

/** A rectangle of pixels. */
interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** PDFium's functions on the positions of text (fpdf_text.h), which the package exports without types. */
interface TextFunctions {
	HEAPU8: Uint8Array;
	wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
	_FPDFText_LoadPage(page: number): number;
	_FPDFText_ClosePage(textPage: number): void;
	_FPDFText_CountChars(textPage: number): number;
	_FPDFText_GetUnicode(textPage: number, index: number): number;
	_FPDFText_CountRects(textPage: number, start: number, count: number): number;
	_FPDFText_GetRect(textPage: number, index: number, left: number, top: number, right: number, bottom: number): number;
	_FPDF_PageToDevice(
		...parameters: [page: number, x: number, y: number, width: number, height: number, rotate: number, pageX: number, pageY: number]
	): number;
}
type PageToDevice = (...parameters: number[]) => number;

const maxTextLength = 50_000; // characters of a page

/** A page that PDFium has opened; its text and its pixels have the same coordinates. */
async function openPage(bytes: Uint8Array, number: number): Promise<{ document: PDFiumDocument; page: PDFiumPage } | null> {
	const library = await PDFiumLibrary.init();
	const document = await library.loadDocument(bytes);
	return number <= document.getPageCount() ? { document, page: document.getPage(number - 1) } : null;
}

/**
 * Reads the text of a page, one UTF-16 unit for each of PDFium's characters, and finds the boxes of its parts.
 * @param size of the drawn page in pixels. @returns the boxes of `find`'s parts.
 */
function findTextBoxes<Part extends { start: number; end: number }>(
	page: PDFiumPage,
	{ width, height }: { width: number; height: number },
	find: (text: string) => Part[],
): (Part & { boxes: Box[] })[] {
	// biome-ignore lint/complexity/useLiteralKeys: private in the types of the package only
	const pdfium = page["module"] as unknown as TextFunctions;
	// biome-ignore lint/complexity/useLiteralKeys: as above
	const pageIndex = page["pageIdx"];
	const textPage = pdfium._FPDFText_LoadPage(pageIndex);
	const pointer = pdfium.wasmExports.malloc(4 * 8);
	try {
		const length = Math.min(pdfium._FPDFText_CountChars(textPage), maxTextLength);
		const units = Array.from({ length }, (_, index) => pdfium._FPDFText_GetUnicode(textPage, index));
		const text = units.map((unit) => (unit > 0 && unit < 0x10000 ? String.fromCharCode(unit) : " ")).join("");
		const toPixel = (x: number, y: number): [number, number] => {
			const device = pdfium._FPDF_PageToDevice as PageToDevice;
			device(pageIndex, 0, 0, width, height, 0, x, y, pointer, pointer + 4);
			const memory = new DataView(pdfium.HEAPU8.buffer);
			return [memory.getInt32(pointer, true), memory.getInt32(pointer + 4, true)];
		};
		const readBox = (index: number): Box => {
			pdfium._FPDFText_GetRect(textPage, index, pointer, pointer + 8, pointer + 16, pointer + 24);
			const memory = new DataView(pdfium.HEAPU8.buffer);
			const [left = 0, top = 0, right = 0, bottom = 0] = [0, 8, 16, 24].map((offset) => memory.getFloat64(pointer + offset, true));
			const [[x1, y1], [x2, y2]] = [toPixel(left, top), toPixel(right, bottom)];
			return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
		};
		return find(text).map((part) => {
			const count = pdfium._FPDFText_CountRects(textPage, part.start, part.end - part.start);
			return { ...part, boxes: Array.from({ length: Math.max(0, count) }, (_, index) => readBox(index)) };
		});
	} finally {
		pdfium.wasmExports.free(pointer);
		pdfium._FPDFText_ClosePage(textPage);
	}
}
