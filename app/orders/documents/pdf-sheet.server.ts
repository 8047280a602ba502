import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as fontkit from "fontkit";
import PDFDocument from "pdfkit";
import { lazy } from "../../../server/lazy.ts";
import { createGuillochePath } from "../../ui/drawings/guilloche-path.ts";
import { printable } from "../../ui/fonts/printable.ts";

/** The sheet of invoices and terms: its size, colours and fonts, and how tagged texts are drawn on it. */

/** The shop's colours (ui/styles/theme.css) on white, for printing. */
export const colour = { ink: "#15211c", soft: "#4d5953", line: "#dcd7c9", accent: "#14583f" };

/** A4, in points. */
export const sheet = { left: 62, right: 533, top: 54, bottom: 800 };
export const width = sheet.right - sheet.left;
export const half = { gap: 30, width: (width - 30) / 2 };

type Font = "sans" | "sans-strong" | "serif";

/** The build and the sources find the file by the same name (package.json, « imports »). */
const createFontLoader = (name: Font) =>
	lazy(() => fontkit.create(readFileSync(createRequire(import.meta.url).resolve(`#app/ui/fonts/${name}.ttf`))) as fontkit.Font);

/** Each font is parsed once, because parsing takes longer than drawing a page. */
const fonts = { sans: createFontLoader("sans"), "sans-strong": createFontLoader("sans-strong"), serif: createFontLoader("serif") };

function loadFont(name: Font): fontkit.Font {
	const font = fonts[name]();
	// clears the glyph cache, so that a document does not depend on earlier ones
	Object.assign(font, { _glyphs: {} });
	return font;
}

declare global {
	namespace PDFKit.Mixins {
		interface PDFFont {
			/** pdfkit also accepts a parsed font. */
			registerFont(name: string, font: fontkit.Font): this;
		}
	}
}

export type Document = InstanceType<typeof PDFDocument>;
export type Structure = ReturnType<Document["struct"]>;

export interface TextStyle {
	font?: Font;
	size?: number;
	colour?: string;
	align?: "left" | "right";
	lineGap?: number;
}

/**
 * Creates a PDF/A-3b in French with the given date, so that the same data always give the same bytes.
 * The title must not need escaping in XML, because pdfkit does not escape it.
 */
export function createPdf(title: string, createdAt: Date): Document {
	const document = new PDFDocument({
		size: "A4",
		margins: { top: sheet.top, bottom: 40, left: sheet.left, right: 595 - sheet.right },
		subset: "PDF/A-3b",
		pdfVersion: "1.7",
		tagged: true,
		bufferPages: true, // their number is known at the end
		lang: "fr-FR",
		displayTitle: true,
		font: "", // PDF/A forbids pdfkit's default font, which is not embedded
		info: { Title: title, CreationDate: createdAt },
	});
	for (const name of ["sans", "sans-strong", "serif"] as const) document.registerFont(name, loadFont(name));
	return document;
}

/** Writes a tagged text, wrapped at its width. @returns the y of the next text. */
export function drawText(
	document: Document,
	parent: Structure,
	{ tag, text, place, style }: { tag: string; text: string; place: { x: number; y: number; width: number }; style: TextStyle },
): number {
	const { font = "sans", size = 10, colour: ink = colour.ink, align = "left", lineGap = 1 } = style;
	parent.add(
		document.struct(tag, {}, () => {
			document.font(font).fontSize(size).fillColor(ink);
			document.text(printable(text), place.x, place.y, { width: place.width, align, lineGap });
		}),
	);
	return document.y;
}

export function drawHairline(document: Document, y: number, ink = colour.line, from = sheet.left): number {
	document.markContent("Artifact", { type: "Layout" });
	document.moveTo(from, y).lineTo(sheet.right, y).lineWidth(0.6).strokeColor(ink).stroke();
	document.endMarkedContent();
	return y;
}

/** A band of hairlines at the head of a page, from margin to margin. */
export function drawGuilloche(document: Document): void {
	const periods = 20;
	document.markContent("Artifact", { type: "Layout" });
	document.save().rect(sheet.left, 26, width, 12).clip().translate(sheet.left, 26);
	document.path(createGuillochePath({ periods: periods + 1, period: width / periods, height: 12, lines: 5 }));
	document.lineWidth(0.25).strokeColor(colour.accent).stroke().restore();
	document.endMarkedContent();
}

/** Long texts have a smaller size, so that the mentions still fit. */
export const fitSize = (text: string, size: number) => (text.length > 90 ? 8 : size);

/** Draws « 2/5 » at the foot of each page, when there are several. */
export function drawPageNumbers(document: Document, title: string): void {
	const { start, count } = document.bufferedPageRange();
	if (count === 1) return;
	for (let page = 0; page < count; page++) {
		document.switchToPage(start + page);
		document.markContent("Artifact", { type: "Pagination" });
		document.font("sans").fontSize(8.5).fillColor(colour.soft);
		const number = `${page + 1}/${count}`;
		// below the margin, where a wrapped text would start another page
		document.text(title, sheet.left, sheet.bottom + 10, { lineBreak: false });
		document.text(number, sheet.right - document.widthOfString(number), sheet.bottom + 10, { lineBreak: false });
		document.endMarkedContent();
	}
}
