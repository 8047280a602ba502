import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";

/** A rectangle of pixels. */
export interface Box {
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
	/** @param parameters page, x, y, width, height, rotation, x and y on the page, and the pointers of the result. */
	_FPDF_PageToDevice(...parameters: number[]): number;
}

const maxTextLength = 50_000; // characters of a page

/** A page that PDFium has opened; its text and its pixels have the same coordinates. */
export async function openPage(bytes: Uint8Array, number: number): Promise<{ document: PDFiumDocument; page: PDFiumPage } | null> {
	const library = await PDFiumLibrary.init();
	const document = await library.loadDocument(bytes);
	return number <= document.getPageCount() ? { document, page: document.getPage(number - 1) } : null;
}

/**
 * Reads the text of a page, one UTF-16 unit for each of PDFium's characters, and finds the boxes of its parts.
 * @param size of the drawn page in pixels. @returns the boxes of `find`'s parts.
 */
export function findTextBoxes<Part extends { start: number; end: number }>(
	page: PDFiumPage,
	{ width, height }: { width: number; height: number },
	find: (text: string) => Part[],
): (Part & { boxes: Box[] })[] {
	// biome-ignore lint/complexity/useLiteralKeys: private in the types of the package only
	const pdfium: TextFunctions = page["module"];
	// biome-ignore lint/complexity/useLiteralKeys: as above
	const pageIndex = page["pageIdx"];
	const textPage = pdfium._FPDFText_LoadPage(pageIndex);
	const pointer = pdfium.wasmExports.malloc(4 * 8);
	try {
		const length = Math.min(pdfium._FPDFText_CountChars(textPage), maxTextLength);
		const units = Array.from({ length }, (_, index) => pdfium._FPDFText_GetUnicode(textPage, index));
		const text = units.map((unit) => (unit > 0 && unit < 0x10000 ? String.fromCharCode(unit) : " ")).join("");
		const toPixel = (x: number, y: number): [number, number] => {
			pdfium._FPDF_PageToDevice(pageIndex, 0, 0, width, height, 0, x, y, pointer, pointer + 4);
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
