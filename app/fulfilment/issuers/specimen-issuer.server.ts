import { createHash } from "node:crypto";
import PDFDocument from "pdfkit";
import { formatHour, formatLongDay } from "../../catalogue/instants.ts";
import type { ExtractRequest, Issuer } from "./issuer.ts";

/** Milliseconds between the specimens of one purchase, so that its page is seen living. */
const pace = 1000;

/**
 * The demo's issuer: it issues a page marked SPECIMEN that imitates nothing official. The first order of a purchase gets it at once, the
 * others one after another, so that its live updates can be seen. A generated Kbis would be a forgery (docs/rules.md, R21).
 */
export function specimenIssuer(now: () => Date): Issuer {
	return {
		name: "specimen",
		async request() {
			return { state: "requested" };
		},
		async result(order) {
			const readyAt = new Date(order.paidAt.getTime() + (order.line - 1) * pace);
			if (order.line > 1 && now() < readyAt) return { state: "pending", readyAt };
			return { state: "ready", pdf: await specimenPdf(order, now()), issuedAt: now() };
		},
		async post(order) {
			const digits = BigInt(`0x${hashOrder(order).slice(0, 15)}`).toString();
			return { state: "posted", trackingNumber: `DEMO${digits.slice(0, 11).padStart(11, "0")}` };
		},
	};
}

type SpecimenSubject = Pick<ExtractRequest, "orderId" | "siren" | "companyName">;

const hashOrder = ({ orderId }: SpecimenSubject) => createHash("sha256").update(orderId).digest("hex");

/**
 * Makes a specimen to drop at the demo's desk. Its date stands there as in an extract, so that the checks find it.
 * @returns the bytes of a PDF.
 */
export const makeSpecimenToDrop = (order: SpecimenSubject, now: Date): Promise<Uint8Array> =>
	specimenPdf(order, now, `Spécimen édité le ${formatLongDay(now)} à ${formatHour(now)}`);

async function specimenPdf(order: SpecimenSubject, issuedAt: Date, dated = `Produit le ${formatLongDay(issuedAt)}`): Promise<Uint8Array> {
	const document = new PDFDocument({
		size: "A4",
		margin: 64,
		lang: "fr-FR",
		info: { Title: `SPECIMEN ${order.siren}`, CreationDate: issuedAt },
	});
	const chunks: Buffer[] = [];
	document.on("data", (chunk: Buffer) => chunks.push(chunk));
	const done = new Promise<void>((resolve) => document.on("end", () => resolve()));

	document.font("Helvetica-Bold").fontSize(22).text("SPECIMEN — SANS VALEUR");
	document.moveDown(0.5).font("Helvetica").fontSize(12);
	document.text(
		"Ce document est produit par une boutique de démonstration. Ce n’est pas un extrait Kbis et il ne peut servir de justificatif.",
	);
	document.moveDown(2).fontSize(14).text(order.companyName);
	document.fontSize(12).text(`SIREN ${order.siren}`);
	// no two orders have the same file, as no two extracts are the same; a reader with whom it is shared learns no order number
	document.moveDown().text(`Spécimen n°\u00a0${hashOrder(order).slice(0, 12)}`);
	document.text(dated);
	document
		.moveDown(2)
		.text("Le véritable extrait est délivré par le greffe du tribunal compétent, et gratuit pour le dirigeant sur monidenum.fr.");
	document
		.save()
		.rotate(-40, { origin: [297, 520] })
		.font("Helvetica-Bold")
		.fontSize(64)
		.fillOpacity(0.12)
		.text("SPECIMEN", 90, 490, { width: 415, align: "center", lineBreak: false })
		.restore();
	document.end();
	await done;
	return new Uint8Array(Buffer.concat(chunks));
}
