import { formatDay } from "../../catalogue/instants.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { formatAddress, formatAddressLines } from "../../companies/addresses/address-lines.ts";
import { printable } from "../../ui/fonts/printable.ts";
import {
	colour,
	type Document,
	drawGuilloche,
	drawHairline,
	drawPageNumbers,
	drawText,
	fitSize,
	half,
	type Structure,
	sheet,
	type TextStyle,
	width,
} from "../documents/pdf-sheet.server.ts";
import type { InvoiceData } from "./invoice.ts";
import { calculateAmounts } from "./invoice-amounts.ts";
import { describeCorrection, isOfSeveral, listMentions, operationCategory } from "./invoice-mentions.ts";
import { drawTable, formatVatRate } from "./invoice-table.server.ts";
import { splitAddress } from "./one-line-address.ts";

export const formatInvoiceTitle = (data: InvoiceData) => `${data.kind === "invoice" ? "Facture" : "Avoir"} ${data.number}`;

/** Draws the page of an invoice or a credit note. The lines of a purchase of several orders may fill more pages. */
export function drawInvoice(document: Document, data: InvoiceData): void {
	const root = document.struct("Document");
	document.addStructure(root);
	// with the longest texts of the order form, the mentions must still fit
	const { name, contact, address, city } = data.buyer;
	const [onlyLine, ...otherLines] = data.lines;
	const description = otherLines.length === 0 ? onlyLine?.description : "";
	const texts = [name, contact, address, city, description, ...Object.values(data.delivery ?? {})];
	const { length } = texts.join("");
	const spacing = length > 1200 ? 0.1 : length > 400 ? 0.4 : 1;
	let y = drawLetterhead(document, root, data);
	y = drawTitle(document, root, data, y + 34 * spacing);
	y = drawDescriptionList(document, root, data, y + 24 * spacing);
	y = drawParties(document, root, data, y + 26 * spacing);
	y = drawDelivery(document, root, data, y);
	y = drawTable(document, root, data, { y: y + 30 * spacing, below: totalsHeight + measureMentions(document, data) + 54 * spacing });
	y = drawTotals(document, root, data, y + 12 * spacing);
	drawMentions(document, root, data, y + 22 * spacing);
	root.end();
	drawPageNumbers(document, formatInvoiceTitle(data));
}

function drawLetterhead(document: Document, root: Structure, { seller }: InvoiceData): number {
	drawGuilloche(document);
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
		["Date de l’encaissement", formatInvoiceDay(data.suppliedAt)],
		[isOfSeveral(data) ? "Commande groupée" : "Commande", data.orderNumber],
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
			`SIREN ${groupDigits(seller.siren)}, ${seller.rcs}`,
			`TVA ${seller.vat}`,
		],
		[
			"Client",
			buyer.name,
			buyer.contact,
			...formatAddressLines({ street: buyer.address, postalCode: buyer.postalCode, city: buyer.city }),
			buyer.siren && `SIREN ${groupDigits(buyer.siren)}`,
			buyer.vat && `TVA ${buyer.vat}`,
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

/** Of what drawTotals draws at most, in points. */
const totalsHeight = 130;

function drawTotals(document: Document, root: Structure, data: InvoiceData, y: number): number {
	const { net, vat, total, due } = calculateAmounts(data);
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

const mentionStyle = { size: 8.5, colour: colour.soft, lineGap: 1.5 };

const listFootTexts = (data: InvoiceData) => [
	...listMentions(data).map(({ text }) => text),
	"Les données de ce document y sont jointes au format Factur-X (EN 16931)\u00a0: factur-x.xml.",
];

function measureMentions(document: Document, data: InvoiceData): number {
	const { size, lineGap } = mentionStyle;
	document.font("sans").fontSize(size);
	return listFootTexts(data).reduce((sum, text) => sum + document.heightOfString(printable(text), { width, lineGap }), 0);
}

/** Draws the mentions at the foot of the page, or below a long text. */
function drawMentions(document: Document, root: Structure, data: InvoiceData, y: number): void {
	let below = drawHairline(document, Math.max(y, sheet.bottom - measureMentions(document, data) - 10)) + 10;
	for (const text of listFootTexts(data))
		below = drawText(document, root, { tag: "P", text, place: { x: sheet.left, y: below, width }, style: mentionStyle });
}

const formatInvoiceDay = (instant: string) => formatDay(new Date(instant));

/** 552032534 → « 552 032 534 » */
const groupDigits = (siren: string) => siren.replace(/\s/g, "").replace(/(\d{3})(?=\d)/g, "$1\u00a0");
