import { cents, formatEuros } from "../../catalogue/money.ts";
import { printable } from "../../ui/fonts/printable.ts";
import {
	colour,
	type Document,
	drawHairline,
	drawText,
	fitSize,
	type Structure,
	sheet,
	type TextStyle,
} from "../documents/pdf-sheet.server.ts";
import type { InvoiceData, InvoiceLine } from "./invoice.ts";
import { calculateAmounts } from "./invoice-amounts.ts";
import { describeLine } from "./invoice-mentions.ts";

/** The columns of the table. */
const columns = [
	{ label: "Désignation", x: sheet.left, width: 225, align: "left" },
	{ label: "Quantité", x: 287, width: 40, align: "right" },
	{ label: "Prix unitaire HT", x: 332, width: 76, align: "right" },
	{ label: "TVA", x: 413, width: 40, align: "right" },
	{ label: "Montant HT", x: 458, width: sheet.right - 458, align: "right" },
] as const;

const headStyle = { size: 8.5, colour: colour.soft };
const noteStyle = { size: 8.5, colour: colour.soft };

/** The lines of a purchase of several orders are smaller. */
const getSize = ({ description, orderNumber }: InvoiceLine) => fitSize(description, orderNumber === undefined ? 10.5 : 9);

/** « 20 % », « 5,5 % » */
export const formatVatRate = (data: InvoiceData) => `${String(data.vatRate).replace(".", ",")}\u00a0%`;

/**
 * Draws the lines. They continue on the next page, below the same head, where the last line keeps room for what follows the table.
 * @param below the height of what follows. @returns the y of the end of the table.
 */
export function drawTable(document: Document, root: Structure, data: InvoiceData, { y, below }: { y: number; below: number }): number {
	const { lineNets } = calculateAmounts(data);
	const padding = data.lines.length === 1 ? 9 : 5;
	const table = document.struct("Table");
	root.add(table);
	let end = drawHead(document, y, (document, top) => drawHeadCells(document, table, top));
	for (const [index, line] of data.lines.entries()) {
		const isLast = index === data.lines.length - 1;
		const height = padding + measureDescription(document, line) + padding;
		// a single line stands on the first page, whatever its length
		if (data.lines.length > 1 && end + height + (isLast ? below : 0) > sheet.bottom) {
			document.addPage();
			end = drawHead(document, sheet.top, drawHeadAgain);
		}
		const net = formatEuros(lineNets[index] ?? cents(0));
		end = drawHairline(document, drawLine(document, table, line, { net, rate: formatVatRate(data), y: end + padding }) + padding);
	}
	table.end();
	return end;
}

const drawHead = (document: Document, y: number, drawCells: (document: Document, y: number) => number) =>
	drawHairline(document, drawCells(document, y) + 5, colour.ink);

function drawHeadCells(document: Document, table: Structure, y: number): number {
	const cells = document.struct("TR");
	table.add(cells);
	const ends = columns.map(({ label, x, width, align }) =>
		drawText(document, cells, { tag: "TH", text: label, place: { x, y, width }, style: { ...headStyle, align } }),
	);
	cells.end();
	return Math.max(...ends);
}

/** The head of the next page is no content: readers of the tags have it already. */
function drawHeadAgain(document: Document, y: number): number {
	document.markContent("Artifact", { type: "Pagination" });
	document.font("sans").fontSize(headStyle.size).fillColor(headStyle.colour);
	const ends = columns.map(({ label, x, width, align }) => {
		document.text(label, x, y, { width, align, lineGap: 1 });
		return document.y;
	});
	document.endMarkedContent();
	return Math.max(...ends);
}

/** @returns the y of the end of the highest cell. */
function drawLine(
	document: Document,
	table: Structure,
	line: InvoiceLine,
	{ net, rate, y }: { net: string; rate: string; y: number },
): number {
	const cells = document.struct("TR");
	table.add(cells);
	const size = getSize(line);
	const ends = [line.description, "1", net, rate, net].map((text, index) => {
		const { x, width, align } = columns[index] ?? columns[0];
		const style: TextStyle = { size, align };
		const note = index === 0 ? describeLine(line) : null;
		if (note === null) return drawText(document, cells, { tag: "TD", text, place: { x, y, width }, style });
		const cell = document.struct("TD");
		cells.add(cell);
		const end = drawText(document, cell, { tag: "P", text, place: { x, y, width }, style });
		const noteEnd = drawText(document, cell, { tag: "P", text: note, place: { x, y: end, width }, style: noteStyle });
		cell.end();
		return noteEnd;
	});
	cells.end();
	return Math.max(...ends);
}

function measureDescription(document: Document, line: InvoiceLine): number {
	const measure = (text: string, size: number) =>
		document.font("sans").fontSize(size).heightOfString(printable(text), { width: columns[0].width, lineGap: 1 });
	const note = describeLine(line);
	return measure(line.description, getSize(line)) + (note === null ? 0 : measure(note, noteStyle.size));
}
