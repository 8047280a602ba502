import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as fontkit from "fontkit";
import PDFDocument from "pdfkit";
import { lazy } from "../../server/lazy.ts";
import { formatDay } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { printable } from "../ui/fonts/printable.ts";
import type { InvoiceData } from "./invoice.ts";
import { invoiceAmounts, vatRateOf } from "./invoice-amounts.ts";
import { invoiceMentions, operationCategory } from "./invoice-mentions.ts";
import { splitAddress } from "./one-line-address.ts";

/** The shop's colours (app.css), on white: it is printed. */
const colour = { ink: "#15211c", soft: "#4d5953", line: "#dcd7c9", accent: "#14583f" };

/** A4, in points. */
const sheet = { left: 62, right: 533, top: 54, bottom: 800 };
const width = sheet.right - sheet.left;
const half = { gap: 30, width: (width - 30) / 2 };

type Font = "sans" | "sans-strong" | "serif";

/** The build and the sources find a file by the same name (package.json, « imports »). */
const readFont = (name: Font) =>
	lazy(() => fontkit.create(readFileSync(createRequire(import.meta.url).resolve(`#app/ui/fonts/${name}.ttf`))) as fontkit.Font);

/** Read and parsed once, as that takes longer than to draw a page. */
const fonts = { sans: readFont("sans"), "sans-strong": readFont("sans-strong"), serif: readFont("serif") };

function fontOf(name: Font): fontkit.Font {
	const font = fonts[name]();
	// it remembers glyphs by the letters that they first stood for: a document must not depend on those before it
	Object.assign(font, { _glyphs: {} });
	return font;
}

type Document = InstanceType<typeof PDFDocument>;
type Structure = ReturnType<Document["struct"]>;

interface TextStyle {
	font?: Font;
	size?: number;
	colour?: string;
	align?: "left" | "right";
	lineGap?: number;
}

/**
 * Opens a PDF/A-3b in French whose dates are the invoice's, so that the same data always gives the same bytes.
 * The title is put into XML as it is: pdfkit does not escape it.
 */
export function createPdf(title: string, createdAt: Date): Document {
	const document = new PDFDocument({
		size: "A4",
		margins: { top: sheet.top, bottom: 40, left: sheet.left, right: 595 - sheet.right },
		subset: "PDF/A-3b",
		pdfVersion: "1.7",
		tagged: true,
		lang: "fr-FR",
		displayTitle: true,
		font: "", // none: pdfkit's own choice is not embedded, which PDF/A forbids
		info: { Title: title, CreationDate: createdAt },
	});
	for (const name of ["sans", "sans-strong", "serif"] as const) document.registerFont(name, fontOf(name) as unknown as Buffer); // pdfkit takes what it would parse it into
	return document;
}

export const invoiceTitle = (data: InvoiceData) => `${data.kind === "invoice" ? "Facture" : "Avoir"} ${data.number}`;

/** Draws the one page of an invoice or a credit note. */
export function drawInvoice(document: Document, data: InvoiceData): void {
	const root = document.struct("Document");
	document.addStructure(root);
	// the longest that the order form takes must leave room for the mentions
	const { name, contact, address, city } = data.buyer;
	const air = [name, contact, address, city, data.line.description].join("").length > 400 ? 0.4 : 1;
	let y = drawLetterhead(document, root, data);
	y = drawTitle(document, root, data, y + 34 * air);
	y = drawFacts(document, root, data, y + 24 * air);
	y = drawParties(document, root, data, y + 26 * air);
	y = drawLine(document, root, data, y + 30 * air);
	y = drawTotals(document, root, data, y + 12 * air);
	drawMentions(document, root, data, y + 22 * air);
	root.end();
}

function drawLetterhead(document: Document, root: Structure, { seller }: InvoiceData): number {
	// the serif has the letters of French only, and no apostrophe
	const font = /^[\w À-ÖØ-öø-ÿŒœŸ&.,-]+$/.test(seller.name) ? "serif" : "sans-strong";
	const name = write(
		document,
		root,
		"P",
		seller.name,
		{ x: sheet.left, y: sheet.top, width: 280 },
		{ font, size: 18, colour: colour.accent },
	);
	let y = sheet.top + 1;
	for (const line of [seller.email, seller.phone]) {
		y = write(document, root, "P", line, { x: 350, y, width: sheet.right - 350 }, { size: 8.5, colour: colour.soft, align: "right" });
	}
	return hairline(document, Math.max(name, y) + 10);
}

function drawTitle(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const below = write(document, root, "H1", invoiceTitle(data), { x: sheet.left, y, width }, { font: "serif", size: 26 });
	if (!data.corrects) return below;
	const corrected = `Corrige la facture ${data.corrects.number} du ${day(data.corrects.issuedAt)}`;
	return write(document, root, "P", corrected, { x: sheet.left, y: below + 3, width }, { size: 11, colour: colour.soft });
}

function drawFacts(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const facts = [
		["Date d’émission", day(data.issuedAt)],
		["Date de la prestation", day(data.suppliedAt)],
		["Commande", data.orderNumber],
		["Catégorie d’opération", operationCategory],
	] as const;
	const step = width / facts.length;
	const ends = facts.map(([label, value], index) => {
		const at = { x: sheet.left + index * step, width: step - 8 };
		const below = write(document, root, "P", label, { ...at, y }, { size: 8.5, colour: colour.soft });
		return write(document, root, "P", value, { ...at, y: below + 1 }, { size: 10.5 });
	});
	return Math.max(...ends);
}

function drawParties(document: Document, root: Structure, { seller, buyer }: InvoiceData, y: number): number {
	const place = splitAddress(seller.address);
	const top = hairline(document, y) + 12;
	const columns = [
		[
			"Vendeur",
			seller.legalEntity,
			...[seller.name === seller.legalEntity ? null : seller.name, place.street, `${place.postalCode} ${place.city}`],
			...[`SIREN ${grouped(seller.siren)}`, `TVA ${seller.vat}`],
		],
		[
			"Client",
			buyer.name,
			...[buyer.contact, buyer.address, `${buyer.postalCode ?? ""} ${buyer.city ?? ""}`],
			...[buyer.siren && `SIREN ${grouped(buyer.siren)}`, buyer.email],
		],
	];
	const ends = columns.map(([label, name, ...lines], index) => {
		const at = { x: sheet.left + index * (half.width + half.gap), width: half.width };
		let below = write(document, root, "H2", label ?? "", { ...at, y: top }, { size: 8.5, colour: colour.soft });
		below = write(document, root, "P", name ?? "", { ...at, y: below + 3 }, { font: "sans-strong", size: fitting(name ?? "", 10.5) });
		for (const line of lines) {
			if (line?.trim()) below = write(document, root, "P", line.trim(), { ...at, y: below }, { size: fitting(line, 10) });
		}
		return below;
	});
	return Math.max(...ends);
}

/** Where the columns of the table begin and how wide they are. */
const columns = [
	{ label: "Désignation", x: sheet.left, width: 225, align: "left" },
	{ label: "Quantité", x: 287, width: 40, align: "right" },
	{ label: "Prix unitaire HT", x: 332, width: 76, align: "right" },
	{ label: "TVA", x: 413, width: 40, align: "right" },
	{ label: "Montant HT", x: 458, width: sheet.right - 458, align: "right" },
] as const;

/** « 20 % », « 5,5 % » */
const percent = (data: InvoiceData) => `${String(vatRateOf(data)).replace(".", ",")}\u00a0%`;

function drawLine(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const { line } = data;
	const { net } = invoiceAmounts(line.total, vatRateOf(data));
	const values = [line.description, "1", formatEuros(net), percent(data), formatEuros(net)];
	const table = document.struct("Table");
	root.add(table);
	const row = (type: "TH" | "TD", texts: readonly string[], top: number, style: TextStyle) => {
		const cells = document.struct("TR");
		table.add(cells);
		const ends = columns.map(({ x, width, align }, index) =>
			write(document, cells, type, texts[index] ?? "", { x, y: top, width }, { ...style, align }),
		);
		cells.end();
		return Math.max(...ends);
	};
	const heads = columns.map(({ label }) => label);
	const top = hairline(document, row("TH", heads, y, { size: 8.5, colour: colour.soft }) + 5, colour.ink);
	const below = row("TD", values, top + 9, { size: fitting(line.description, 10.5) });
	table.end();
	return hairline(document, below + 9);
}

function drawTotals(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const { net, vat, total, due } = invoiceAmounts(data.line.total, vatRateOf(data));
	const x = sheet.left + half.width + half.gap;
	const row = (label: string, amount: string, top: number, style: TextStyle) => {
		const end = write(document, root, "P", label, { x, y: top, width: half.width - 65 }, { ...style, font: style.font && "sans-strong" });
		return Math.max(end, write(document, root, "P", amount, { x: sheet.right - 65, y: top, width: 65 }, { ...style, align: "right" }));
	};
	let below = row("Total HT", formatEuros(net), y, { size: 10.5 });
	below = row(`TVA ${percent(data)}`, formatEuros(vat), below + 4, { size: 10.5 });
	below = hairline(document, below + 7, colour.ink, x) + 8;
	below = row("Total TTC", formatEuros(total), below, { font: "sans-strong", size: 13 });
	const paid = data.kind === "invoice" ? "Payé par carte" : "Remboursé par carte";
	below = row(`${paid} le ${day(data.paidAt)}`, formatEuros(total), below + 8, { size: 9.5, colour: colour.soft });
	return row(data.kind === "invoice" ? "Reste à payer" : "Reste à rembourser", formatEuros(due), below + 3, {
		size: 9.5,
		colour: colour.soft,
	});
}

/** At the foot of the page, or below what is above when that is long. */
function drawMentions(document: Document, root: Structure, data: InvoiceData, y: number): void {
	const style = { size: 8.5, colour: colour.soft, lineGap: 1.5 };
	const texts = [
		...invoiceMentions(data).map(({ text }) => text),
		"Les données de ce document y sont jointes au format Factur-X (EN 16931)\u00a0: factur-x.xml.",
	];
	document.font("sans").fontSize(style.size);
	const height = texts.reduce((sum, text) => sum + document.heightOfString(printable(text), { width, lineGap: style.lineGap }), 0);
	let below = hairline(document, Math.max(y, sheet.bottom - height - 10)) + 10;
	for (const text of texts) below = write(document, root, "P", text, { x: sheet.left, y: below, width }, style);
}

/** Writes one tagged text, wrapped at its width. @returns where the next may begin. */
function write(
	document: Document,
	parent: Structure,
	tag: string,
	text: string,
	place: { x: number; y: number; width: number },
	{ font = "sans", size = 10, colour: ink = colour.ink, align = "left", lineGap = 1 }: TextStyle = {},
): number {
	parent.add(
		document.struct(tag, {}, () => {
			document.font(font).fontSize(size).fillColor(ink);
			document.text(printable(text), place.x, place.y, { width: place.width, align, lineGap });
		}),
	);
	return document.y;
}

function hairline(document: Document, y: number, ink = colour.line, from = sheet.left): number {
	document.markContent("Artifact", { type: "Layout" });
	document.moveTo(from, y).lineTo(sheet.right, y).lineWidth(0.6).strokeColor(ink).stroke();
	document.endMarkedContent();
	return y;
}

/** For the same reason long texts are set smaller. */
const fitting = (text: string, size: number) => (text.length > 90 ? 8 : size);

const day = (instant: string) => formatDay(new Date(instant));

/** 552032534 → « 552 032 534 » */
const grouped = (siren: string) => siren.replace(/\s/g, "").replace(/(\d{3})(?=\d)/g, "$1\u00a0");
