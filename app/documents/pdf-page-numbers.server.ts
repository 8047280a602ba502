import { colour, type Document, sheet } from "./pdf-sheet.server.ts";

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
