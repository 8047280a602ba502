// A program that draw-draft.server.ts starts for one page: it reads a PDF from standard input and writes the page as PNG, in JSON.
// A malicious file can only end this process. Arguments: processor time in milliseconds, page, ordered SIREN.
import { buffer } from "node:stream/consumers";
import { watchLimits } from "./confined-limits.server.ts";
import { encodePng, type Picture } from "./encode-png.server.ts";
import { type DrawnPage, findMarks, type MarkKind } from "./find-marks.ts";
import { type Box, findTextBoxes, openPage } from "./pdfium-page.server.ts";
import { scanPdf } from "./scan-pdf.server.ts";

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
process.stdout.write(JSON.stringify(page));

async function draw(bytes: Uint8Array, number: number, siren: string): Promise<DrawnPage | null> {
	const { findings, encrypted } = scanPdf(bytes);
	if (encrypted || findings.length > 0) return null;
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
