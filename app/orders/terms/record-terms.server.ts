import { createHash } from "node:crypto";
import { href } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { fillIn } from "../../content/fill-in.ts";
import type { Text } from "../../content/text.ts";
import type { TextVariables } from "../../content/variables.ts";
import { printable } from "../../ui/fonts/printable.ts";
import {
	colour,
	createPdf,
	type Document,
	drawHairline,
	drawPageNumbers,
	drawText,
	type Structure,
	sheet,
	type TextStyle,
	width,
} from "../documents/pdf-sheet.server.ts";
import { hasTerms, insertTerms } from "./terms.store.server.ts";
import { formatTerms, listTermsLines, type TermsLine, type TermsOfSale } from "./terms.ts";

/** Composes the terms as this shop shows them. @param text of /cgv. */
export function composeTerms(text: Text, variables: TextVariables): TermsOfSale {
	const { title, ...content } = fillIn(text, variables);
	return { version: textVersions.terms.date, title, seller: variables.shopName, lines: listTermsLines(content) };
}

/** The hash of what a customer reads and accepts. */
export const hashTerms = (terms: TermsOfSale): string => createHash("sha256").update(formatTerms(terms)).digest("hex");

/**
 * Creates the function that records the terms in force, once per process, before an order names them or a visitor downloads them (C. conso.
 * art. L221-13, L213-1).
 * It returns their hash, and throws when the database does not answer: the next call tries again.
 */
export function createTermsRecorder(context: Pick<Context, "db" | "now">, variables: TextVariables): () => Promise<string> {
	let recorded: Promise<string> | undefined;
	return () => {
		recorded ??= recordTerms(context, variables).catch((error: unknown) => {
			recorded = undefined;
			throw error;
		});
		return recorded;
	};
}

async function recordTerms({ db, now }: Pick<Context, "db" | "now">, variables: TextVariables): Promise<string> {
	// imported here, because only the build has the texts, and a command places no order
	const { getText } = await import("../../content/texts.ts");
	const terms = composeTerms(getText(href("/cgv")), variables);
	const sha256 = hashTerms(terms);
	if (await hasTerms(db, sha256)) return sha256;
	const pdf = Buffer.from(await createTermsPdf(terms, new Date(terms.version)));
	await insertTerms(db, { sha256, version: terms.version, text: formatTerms(terms), pdf, first_seen_at: now() });
	return sha256;
}

interface LineStyle extends TextStyle {
	size: number;
	/** Points before the line, and to its left and right. */
	above: number;
	indent: number;
}

const styles: Record<TermsLine["kind"], LineStyle> = {
	heading: { font: "sans-strong", size: 11.5, above: 14, indent: 0, colour: colour.accent },
	paragraph: { size: 9, above: 5, indent: 0, lineGap: 1.5 },
	item: { size: 9, above: 3, indent: 10, lineGap: 1.5 },
	boxed: { size: 9, above: 5, indent: 12, lineGap: 1.5 },
};

/**
 * Creates the PDF/A of a version of the terms. It depends on `terms` and `createdAt` only: the same terms give the same bytes.
 * A line that does not fit starts the next page, a heading with the line below it.
 */
export async function createTermsPdf(terms: TermsOfSale, createdAt: Date): Promise<Uint8Array> {
	const title = `${terms.title}, version du ${formatLongDay(new Date(terms.version))}`;
	const document = createPdf(title, createdAt);
	const chunks: Buffer[] = [];
	document.on("data", (chunk: Buffer) => chunks.push(chunk));
	const done = new Promise((resolve, reject) => document.once("end", resolve).once("error", reject));
	const root = document.struct("Document");
	document.addStructure(root);
	drawLines(document, root, terms, drawHead(document, root, terms));
	root.end();
	drawPageNumbers(document, title);
	document.end();
	await done;
	return new Uint8Array(Buffer.concat(chunks));
}

function drawHead(document: Document, root: Structure, { title, seller, version }: TermsOfSale): number {
	const place = { x: sheet.left, y: sheet.top, width };
	let y = drawText(document, root, { tag: "P", text: seller, place, style: { size: 10, colour: colour.soft } });
	y = drawText(document, root, { tag: "H1", text: title, place: { ...place, y: y + 6 }, style: { font: "serif", size: 24 } });
	const text = `Version du ${formatLongDay(new Date(version))}`;
	y = drawText(document, root, { tag: "P", text, place: { ...place, y: y + 3 }, style: { size: 10, colour: colour.soft } });
	return drawHairline(document, y + 8);
}

function drawLines(document: Document, root: Structure, { lines }: TermsOfSale, top: number): void {
	let y = top;
	for (const [index, line] of lines.entries()) {
		const { above } = styles[line.kind];
		const next = line.kind === "heading" ? lines[index + 1] : undefined;
		const needed = above + measure(document, line) + (next ? styles[next.kind].above + measure(document, next) : 0);
		const startsPage = y + needed > sheet.bottom;
		if (startsPage) document.addPage();
		const from = startsPage ? sheet.top : y + above;
		const [before, after] = [lines[index - 1]?.kind, lines[index + 1]?.kind];
		y = drawLine(document, root, line, from);
		if (line.kind !== "boxed") continue;
		drawBox(document, {
			from: before === "boxed" && !startsPage ? from - above : from - above + 1,
			to: y + 4,
			opens: before !== "boxed" || startsPage,
			closes: after !== "boxed",
		});
		if (after !== "boxed") y += 6;
	}
}

function drawLine(document: Document, root: Structure, { kind, text }: TermsLine, y: number): number {
	const { indent, above, ...style } = styles[kind];
	const tag = kind === "heading" ? "H2" : kind === "boxed" ? "BlockQuote" : "P";
	return drawText(document, root, { tag, text: mark(kind, text), place: toPlace(indent, y), style });
}

const mark = (kind: TermsLine["kind"], text: string) => (kind === "item" ? `– ${text}` : text);
const toPlace = (indent: number, y: number) => ({ x: sheet.left + indent, y, width: width - 2 * indent });

function measure(document: Document, { kind, text }: TermsLine): number {
	const { indent, size, font = "sans", lineGap = 1 } = styles[kind];
	return document
		.font(font)
		.fontSize(size)
		.heightOfString(printable(mark(kind, text)), { width: width - 2 * indent, lineGap });
}

/** A frame around the lines of a box: its sides beside each line, its upper and lower edge at its ends. */
function drawBox(document: Document, { from, to, opens, closes }: { from: number; to: number; opens: boolean; closes: boolean }): void {
	document.markContent("Artifact", { type: "Layout" });
	document.lineWidth(0.6).strokeColor(colour.ink);
	document.moveTo(sheet.left, from).lineTo(sheet.left, to).moveTo(sheet.right, from).lineTo(sheet.right, to);
	if (opens) document.moveTo(sheet.left, from).lineTo(sheet.right, from);
	if (closes) document.moveTo(sheet.left, to).lineTo(sheet.right, to);
	document.stroke();
	document.endMarkedContent();
}
