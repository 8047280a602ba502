import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as fontkit from "fontkit";
import PDFDocument from "pdfkit";
import { lazy } from "../../server/lazy.ts";
import { formatAddress, formatAddressLines } from "../addresses/address-lines.ts";
import { formatDay } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { createGuillochePath } from "../ui/drawings/guilloche-path.ts";
import { printable } from "../ui/fonts/printable.ts";
import type { InvoiceData } from "./invoice.ts";
import { calculateAmounts, getVatRate } from "./invoice-amounts.ts";
import { describeCorrection, listMentions, operationCategory } from "./invoice-mentions.ts";
import { splitAddress } from "./one-line-address.ts";

/** The shop's colours (ui/styles/theme.css) on white, for printing. */
const colour = { ink: "#15211c", soft: "#4d5953", line: "#dcd7c9", accent: "#14583f" };

/** A4, in points. */
const sheet = { left: 62, right: 533, top: 54, bottom: 800 };
const width = sheet.right - sheet.left;
const half = { gap: 30, width: (width - 30) / 2 };

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
 * Creates a PDF/A-3b in French with the invoice's dates, so that the same data always give the same bytes.
 * The title must not need escaping in XML, because pdfkit does not escape it.
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
		font: "", // PDF/A forbids pdfkit's default font, which is not embedded
		info: { Title: title, CreationDate: createdAt },
	});
	for (const name of ["sans", "sans-strong", "serif"] as const) document.registerFont(name, loadFont(name) as unknown as Buffer); // pdfkit also accepts a parsed font
	return document;
}

export const formatInvoiceTitle = (data: InvoiceData) => `${data.kind === "invoice" ? "Facture" : "Avoir"} ${data.number}`;

/** Draws the one page of an invoice or a credit note. */
export function drawInvoice(document: Document, data: InvoiceData): void {
	const root = document.struct("Document");
	document.addStructure(root);
	// with the longest texts of the order form, the mentions must still fit
	const { name, contact, address, city } = data.buyer;
	const texts = [name, contact, address, city, data.line.description, ...Object.values(data.delivery ?? {})];
	const { length } = texts.join("");
	const spacing = length > 1200 ? 0.1 : length > 400 ? 0.4 : 1;
	let y = drawLetterhead(document, root, data);
	y = drawTitle(document, root, data, y + 34 * spacing);
	y = drawDescriptionList(document, root, data, y + 24 * spacing);
	y = drawParties(document, root, data, y + 26 * spacing);
	y = drawDelivery(document, root, data, y);
	y = drawLine(document, root, data, y + 30 * spacing);
	y = drawTotals(document, root, data, y + 12 * spacing);
	drawMentions(document, root, data, y + 22 * spacing);
	root.end();
}

/** A band of hairlines above the letterhead, from margin to margin. */
function drawTexture(document: Document): void {
	const periods = 20;
	document.markContent("Artifact", { type: "Layout" });
	document.save().rect(sheet.left, 26, width, 12).clip().translate(sheet.left, 26);
	document.path(createGuillochePath({ periods: periods + 1, period: width / periods, height: 12, lines: 5 }));
	document.lineWidth(0.25).strokeColor(colour.accent).stroke().restore();
	document.endMarkedContent();
}

function drawLetterhead(document: Document, root: Structure, { seller }: InvoiceData): number {
	drawTexture(document);
	// the serif font has only French letters and no apostrophe
	const font = /^[\w À-ÖØ-öø-ÿŒœŸ&.,-]+$/.test(seller.name) ? "serif" : "sans-strong";
	const name = drawText(document, root, {
		tag: "P",
		text: seller.name,
		place: { x: sheet.left, y: sheet.top, width: 280 },
		style: { font, size: 18, colour: colour.accent },
	});
	let y = sheet.top + 1;
	for (const line of [seller.email, seller.phone]) {
		const place = { x: 350, y, width: sheet.right - 350 };
		y = drawText(document, root, { tag: "P", text: line, place, style: { size: 8.5, colour: colour.soft, align: "right" } });
	}
	return drawHairline(document, Math.max(name, y) + 10);
}

function drawTitle(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const title = { tag: "H1", text: formatInvoiceTitle(data), place: { x: sheet.left, y, width } };
	const below = drawText(document, root, { ...title, style: { font: "serif", size: 26 } });
	const text = describeCorrection(data);
	if (text === null) return below;
	const place = { x: sheet.left, y: below + 3, width };
	return drawText(document, root, { tag: "P", text, place, style: { size: 11, colour: colour.soft } });
}

function drawDescriptionList(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const entries = [
		["Date d’émission", formatInvoiceDay(data.issuedAt)],
		["Date de la prestation", formatInvoiceDay(data.suppliedAt)],
		["Commande", data.orderNumber],
		["Catégorie d’opération", operationCategory],
	] as const;
	const step = width / entries.length;
	const ends = entries.map(([label, value], index) => {
		const at = { x: sheet.left + index * step, width: step - 8 };
		const below = drawText(document, root, { tag: "P", text: label, place: { ...at, y }, style: { size: 8.5, colour: colour.soft } });
		return drawText(document, root, { tag: "P", text: value, place: { ...at, y: below + 1 }, style: { size: 10.5 } });
	});
	return Math.max(...ends);
}

function drawParties(document: Document, root: Structure, { seller, buyer }: InvoiceData, y: number): number {
	const place = splitAddress(seller.address);
	const top = drawHairline(document, y) + 12;
	const columns = [
		[
			"Vendeur",
			seller.legalEntity,
			seller.name === seller.legalEntity ? null : seller.name,
			...formatAddressLines(place),
			`SIREN ${groupDigits(seller.siren)}`,
			`TVA ${seller.vat}`,
		],
		[
			"Client",
			buyer.name,
			buyer.contact,
			...formatAddressLines({ street: buyer.address, postalCode: buyer.postalCode, city: buyer.city }),
			buyer.siren && `SIREN ${groupDigits(buyer.siren)}`,
			buyer.vat && `TVA ${buyer.vat}`,
			buyer.email,
		],
	];
	const ends = columns.map(([label, name, ...lines], index) => {
		const at = { x: sheet.left + index * (half.width + half.gap), width: half.width };
		const heading = { tag: "H2", text: label ?? "", place: { ...at, y: top } };
		let below = drawText(document, root, { ...heading, style: { size: 8.5, colour: colour.soft } });
		const nameStyle: TextStyle = { font: "sans-strong", size: fitSize(name ?? "", 10.5) };
		below = drawText(document, root, { tag: "P", text: name ?? "", place: { ...at, y: below + 3 }, style: nameStyle });
		for (const line of lines) {
			if (!line?.trim()) continue;
			below = drawText(document, root, { tag: "P", text: line.trim(), place: { ...at, y: below }, style: { size: fitSize(line, 10) } });
		}
		return below;
	});
	return Math.max(...ends);
}

/** Draws where a letter goes, if elsewhere than to the buyer. */
function drawDelivery(document: Document, root: Structure, { delivery }: InvoiceData, y: number): number {
	if (!delivery) return y;
	const { address, ...parts } = delivery;
	const at = { x: sheet.left, width };
	const heading = { tag: "H2", text: "Adresse de livraison", place: { ...at, y: y + 10 } };
	const below = drawText(document, root, { ...heading, style: { size: 8.5, colour: colour.soft } });
	const text = formatAddress({ ...parts, street: address });
	return drawText(document, root, { tag: "P", text, place: { ...at, y: below + 3 }, style: { size: fitSize(text, 10) } });
}

/** The columns of the table. */
const columns = [
	{ label: "Désignation", x: sheet.left, width: 225, align: "left" },
	{ label: "Quantité", x: 287, width: 40, align: "right" },
	{ label: "Prix unitaire HT", x: 332, width: 76, align: "right" },
	{ label: "TVA", x: 413, width: 40, align: "right" },
	{ label: "Montant HT", x: 458, width: sheet.right - 458, align: "right" },
] as const;

/** « 20 % », « 5,5 % » */
const formatVatRate = (data: InvoiceData) => `${String(getVatRate(data)).replace(".", ",")}\u00a0%`;

function drawLine(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const { line } = data;
	const { net } = calculateAmounts(line.total, getVatRate(data));
	const values = [line.description, "1", formatEuros(net), formatVatRate(data), formatEuros(net)];
	const table = document.struct("Table");
	root.add(table);
	const row = (tag: "TH" | "TD", texts: readonly string[], top: number, style: TextStyle) => {
		const cells = document.struct("TR");
		table.add(cells);
		const ends = columns.map(({ x, width, align }, index) =>
			drawText(document, cells, { tag, text: texts[index] ?? "", place: { x, y: top, width }, style: { ...style, align } }),
		);
		cells.end();
		return Math.max(...ends);
	};
	const headers = columns.map(({ label }) => label);
	const top = drawHairline(document, row("TH", headers, y, { size: 8.5, colour: colour.soft }) + 5, colour.ink);
	const below = row("TD", values, top + 9, { size: fitSize(line.description, 10.5) });
	table.end();
	return drawHairline(document, below + 9);
}

function drawTotals(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const { net, vat, total, due } = calculateAmounts(data.line.total, getVatRate(data));
	const x = sheet.left + half.width + half.gap;
	const row = (label: string, amount: string, top: number, style: TextStyle) => {
		const labelPlace = { x, y: top, width: half.width - 65 };
		const labelStyle = { ...style, font: style.font && ("sans-strong" as const) };
		const end = drawText(document, root, { tag: "P", text: label, place: labelPlace, style: labelStyle });
		const place = { x: sheet.right - 65, y: top, width: 65 };
		return Math.max(end, drawText(document, root, { tag: "P", text: amount, place, style: { ...style, align: "right" } }));
	};
	let below = row("Total HT", formatEuros(net), y, { size: 10.5 });
	below = row(`TVA ${formatVatRate(data)}`, formatEuros(vat), below + 4, { size: 10.5 });
	below = drawHairline(document, below + 7, colour.ink, x) + 8;
	below = row("Total TTC", formatEuros(total), below, { font: "sans-strong", size: 13 });
	below = row(describePayment(data), formatEuros(total), below + 8, { size: 9.5, colour: colour.soft });
	return row(data.kind === "invoice" ? "Reste à payer" : "Reste à rembourser", formatEuros(due), below + 3, {
		size: 9.5,
		colour: colour.soft,
	});
}

function describePayment({ kind, paidAt, replacedBy }: InvoiceData): string {
	if (replacedBy) return `Imputé sur la facture ${replacedBy}`;
	return `${kind === "invoice" ? "Payé" : "Remboursé"} par carte le ${formatInvoiceDay(paidAt)}`;
}

/** Draws the mentions at the foot of the page, or below a long text. */
function drawMentions(document: Document, root: Structure, data: InvoiceData, y: number): void {
	const style = { size: 8.5, colour: colour.soft, lineGap: 1.5 };
	const texts = [
		...listMentions(data).map(({ text }) => text),
		"Les données de ce document y sont jointes au format Factur-X (EN 16931)\u00a0: factur-x.xml.",
	];
	document.font("sans").fontSize(style.size);
	const height = texts.reduce((sum, text) => sum + document.heightOfString(printable(text), { width, lineGap: style.lineGap }), 0);
	let below = drawHairline(document, Math.max(y, sheet.bottom - height - 10)) + 10;
	for (const text of texts) below = drawText(document, root, { tag: "P", text, place: { x: sheet.left, y: below, width }, style });
}

/** Writes a tagged text, wrapped at its width. @returns the y of the next text. */
function drawText(
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

function drawHairline(document: Document, y: number, ink = colour.line, from = sheet.left): number {
	document.markContent("Artifact", { type: "Layout" });
	document.moveTo(from, y).lineTo(sheet.right, y).lineWidth(0.6).strokeColor(ink).stroke();
	document.endMarkedContent();
	return y;
}

/** Long texts have a smaller size, so that the mentions still fit. */
const fitSize = (text: string, size: number) => (text.length > 90 ? 8 : size);

const formatInvoiceDay = (instant: string) => formatDay(new Date(instant));

/** 552032534 → « 552 032 534 » */
const groupDigits = (siren: string) => siren.replace(/\s/g, "").replace(/(\d{3})(?=\d)/g, "$1\u00a0");
