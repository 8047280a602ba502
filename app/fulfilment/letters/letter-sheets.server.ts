import { buffer } from "node:stream/consumers";
import { encode } from "uqr";
import type { ShopIdentity } from "../../../server/environment/shop-identity.ts";
import type { Context } from "../../../server/runtime.ts";
import { guaranteePeriod } from "../../catalogue/after-sale.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import { formatSiren } from "../../companies/siren.ts";
import { createPdf } from "../../orders/documents/pdf-sheet.server.ts";
import { formatLabel } from "../../orders/letter-label.ts";
import { toLetterNumber } from "../../orders/letter-number.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { printable } from "../../ui/fonts/printable.ts";
import type { Letter } from "./letter.ts";

type Document = ReturnType<typeof createPdf>;

const mm = (millimetres: number) => (millimetres * 72) / 25.4;

/**
 * The usual French envelope: DL, 110 × 220 mm, with a window of 35 × 100 mm that is 20 mm from its right and lower edges. The sheet, A4
 * folded in three, moves in it by 10 mm sideways and 11 mm up and down. What the window always shows lies, from the sheet's upper left
 * corner, between 100 and 190 mm and between 55 and 79 mm; what it may show, between 90 and 200 mm and between 44 and 90 mm.
 */
const window = { left: 103, width: 86, top: 55, bottom: 79 };

/** Six lines of ten points fit into what the window always shows. */
const label = { size: 10, pitch: 3.95 };

const margin = { left: 20, width: 170 };
/** Where A4 is folded, in millimetres from its upper edge. */
const folds = [99, 198];

const ink = "#15211c";
const soft = "#4d5953";

/** Draws the sheet that goes before each extract, with the address in the window of the envelope. @returns a PDF, a page for each letter. */
export async function drawLetterSheets(
	letters: readonly Letter[],
	{ environment: { shop, baseUrl }, signer }: Pick<Context, "environment" | "signer">,
	now: Date,
): Promise<Uint8Array> {
	const document = createPdf("Courriers", now);
	for (const [index, letter] of letters.entries()) {
		if (index > 0) document.addPage();
		// who is not the buyer must not learn the number that opens the order with an e-mail address
		const number = letter.sender ? toLetterNumber(signer, letter.orderNumber) : letter.orderNumber;
		drawSheet(document, letter, { number, shop, privacyUrl: `${absoluteUrl(baseUrl, "/politique-confidentialite")}#destinataire`, now });
	}
	document.end();
	return buffer(document);
}

function drawSheet(
	document: Document,
	letter: Letter,
	{ number, shop, privacyUrl, now }: { number: string; shop: ShopIdentity; privacyUrl: string; now: Date },
): void {
	write(document, shop.name, { x: margin.left, y: 16, width: 75, font: "sans-strong", size: 12 });
	for (const [index, line] of [shop.address, shop.phone, shop.email].entries())
		write(document, line, { x: margin.left, y: 22 + index * 4.5, width: 75, size: 8.5, colour: soft });
	drawCode(document, number);
	const lines = formatLabel(letter.address);
	const top = (window.top + window.bottom - lines.length * label.pitch) / 2;
	for (const [index, line] of lines.entries())
		write(document, line, { x: window.left, y: top + index * label.pitch, width: window.width, size: label.size });
	for (const fold of folds) document.moveTo(mm(3), mm(fold)).lineTo(mm(7), mm(fold)).lineWidth(0.4).strokeColor(soft).stroke();

	write(document, `Le ${formatLongDay(now)}`, { x: window.left, y: 94, width: window.width });
	const { sender, reference } = letter;
	write(document, sender ? "Un extrait vous est adressé" : "Votre extrait", {
		x: margin.left,
		y: 108,
		width: margin.width,
		font: "serif",
		size: 20,
	});
	const facts = [
		["Société", letter.companyName],
		["SIREN", formatSiren(letter.siren)],
		sender ? ["Courrier", number] : ["Commande", `${number}, du ${formatLongDay(letter.orderedAt)}`],
		...(reference && !sender ? [["Votre référence", reference]] : []),
	];
	let y = 122;
	for (const [name = "", value = ""] of facts) {
		write(document, name, { x: margin.left, y, width: 30, colour: soft });
		y = write(document, value, { x: margin.left + 32, y, width: margin.width - 32 }) + 1.5;
	}
	const paragraphs = [
		"Madame, Monsieur,",
		...(sender
			? [
					`${sender.nameWithCompany} nous a demandé de vous adresser cet extrait.${reference ? ` Référence\u00a0: ${reference}.` : ""}`,
					`Une question sur cet envoi\u00a0? Adressez-vous à ${sender.name}.`,
				]
			: [
					"Vous trouverez avec cette lettre l’extrait que vous avez commandé.",
					`S’il est erroné ou inutilisable, dites-le-nous pendant ${guaranteePeriod}\u00a0: après vérification, nous vous en remboursons le prix. Votre facture vous a été envoyée par e-mail.`,
				]),
		shop.name,
	];
	y += 6;
	for (const text of paragraphs) y = write(document, text, { x: margin.left, y, width: margin.width }) + 3.5;
	const notices = [
		`${shop.name} est un service privé et indépendant, sans lien avec Infogreffe, les greffes, l’INPI ni l’État.`,
		// GDPR art. 14: even a letter to the customer's name may be opened by somebody else
		`${explainAddress(sender)} Vos droits\u00a0: ${privacyUrl}.`,
		// C. com. art. R123-237
		`${shop.legalEntity}, ${shop.address}, SIREN ${shop.siren}, ${shop.rcs}, TVA ${shop.vat}.`,
	];
	let noticeTop = 260;
	for (const text of notices)
		noticeTop = write(document, text, { x: margin.left, y: noticeTop, width: margin.width, size: 8, colour: soft }) + 0.5;
}

const explainAddress = (sender: Letter["sender"]): string =>
	sender
		? `${sender.name} nous a donné votre adresse pour cet envoi. Nous ne l’utilisons pour rien d’autre.`
		: "Si vous n’avez pas commandé cet extrait, la personne qui l’a commandé nous a donné votre adresse pour cet envoi.";

interface Style {
	/** In millimetres. */
	x: number;
	y: number;
	width: number;
	font?: "sans" | "sans-strong" | "serif";
	/** In points. */
	size?: number;
	colour?: string;
}

/** @returns the y below, in millimetres. */
function write(document: Document, text: string, { x, y, width, font = "sans", size = 10.5, colour = ink }: Style): number {
	document.font(font).fontSize(size).fillColor(colour);
	document.text(printable(text), mm(x), mm(y), { width: mm(width), lineGap: 1 });
	return (document.y * 25.4) / 72;
}

/** The number of the sheet as a QR code, outside of the window, to be scanned before the tracking number. */
function drawCode(document: Document, number: string): void {
	const { data, size } = encode(number, { border: 0, ecc: "M" });
	const module = mm(16) / size;
	const [left, top] = [mm(margin.left), mm(60)];
	for (const [row, cells] of data.entries())
		for (const [column, isDark] of cells.entries()) if (isDark) document.rect(left + column * module, top + row * module, module, module);
	document.fill(ink);
	write(document, number, { x: margin.left, y: 77.5, width: 40, size: 8, colour: soft });
}
