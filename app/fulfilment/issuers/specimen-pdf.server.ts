import { buffer } from "node:stream/consumers";
import { formatLongDay } from "../../catalogue/instants.ts";
import { type Company, formatHeadOffice } from "../../companies/company.ts";
import { getManagerTitle } from "../../companies/legal-forms.ts";
import { formatSiren, type Siren } from "../../companies/siren.ts";
import { rubrics } from "../../content/rubrics.ts";
import {
	colour,
	createPdf,
	type Document,
	drawGuilloche,
	drawHairline,
	drawText,
	type Structure,
	sheet,
	type TextStyle,
	width,
} from "../../orders/documents/pdf-sheet.server.ts";

interface Specimen {
	siren: Siren;
	companyName: string;
	/** Null where the register has none. */
	company: Company | null;
	number: string;
	/** « Produit le 21 novembre 2026 » */
	dated: string;
	issuedAt: Date;
}

const mark = "SPÉCIMEN — SANS VALEUR";
const unknown = "spécimen";

/** Draws the page of a specimen: the rubrics of the guide's sheet in the shop's own type, and nothing of a greffe. */
export async function drawSpecimen(specimen: Specimen): Promise<Uint8Array<ArrayBuffer>> {
	const document = createPdf(`SPECIMEN ${specimen.siren}`, specimen.issuedAt);
	const bytes = buffer(document);
	const root = document.struct("Document");
	document.addStructure(root);
	drawGuilloche(document);
	let y = drawHead(document, root, specimen);
	const { company } = specimen;
	// an extract K has no managers: it is the trader's own
	const isManaged = company === null || company.eligibility === "kbis";
	for (const { anchor, heading, rows } of rubrics) {
		if (officialRubrics.has(anchor) || (anchor === "rubrique-direction" && !isManaged)) continue;
		const filled = rows.map(([label]) => [nameRow(label, company), fillRow(label, specimen)] as const);
		y = drawRubric(document, root, { heading: heading.join(" "), rows: filled }, y);
	}
	drawMarks(document);
	root.end();
	document.end();
	return new Uint8Array(await bytes);
}

/** What a greffe writes: its name and register at the head, its signature and its code at the end. */
const officialRubrics: ReadonlySet<string> = new Set(["rubrique-en-tete", "rubrique-fin"]);

/** The rubrics of the guide are those of an SAS. */
const nameRow = (label: string, company: Company | null): string =>
	label === "Président" ? getManagerTitle(company?.legalCategory ?? "") : label.replace(/ du \d.*/, "");

/** What the register says for a row of the sheet. What it does not say, and what is about persons, is « spécimen ». */
function fillRow(label: string, { siren, companyName, company }: Specimen): string {
	const headOffice = company && formatHeadOffice(company);
	const known: Record<string, string | null | undefined> = {
		"Immatriculation au RCS, numéro": formatSiren(siren),
		"Date d’immatriculation": company?.registrationDate && formatLongDay(new Date(company.registrationDate)),
		"Dénomination ou raison sociale": companyName,
		"Forme juridique": company?.legalFormInFull ?? company?.legalForm,
		"Capital social": company?.capital,
		"Adresse du siège": headOffice,
		"Activités principales": company?.activityDescription,
		"Durée de la personne morale": company?.duration,
		"Adresse de l’établissement": headOffice,
		"Activité(s) exercée(s)": company?.activityDescription,
	};
	return known[label] || unknown;
}

function drawHead(document: Document, root: Structure, { companyName, siren, number, dated }: Specimen): number {
	const draw = (tag: string, text: string, y: number, style: TextStyle) =>
		drawText(document, root, { tag, text, place: { x: sheet.left, y, width }, style });
	let y = draw("P", mark, sheet.top, { font: "sans-strong", size: 12, colour: colour.accent });
	y = draw(
		"P",
		"Ce document est produit par une boutique de démonstration. Ce n’est pas un extrait Kbis et il ne peut servir de justificatif.",
		y + 3,
		{ size: 9, colour: colour.soft },
	);
	y = draw("H1", companyName, drawHairline(document, y + 9) + 14, {
		font: getTitleFont(companyName),
		size: companyName.length > 60 ? 16 : 24,
	});
	y = draw("P", `SIREN ${formatSiren(siren)}`, y + 2, { size: 12 });
	y = draw("P", `Spécimen n°\u00a0${number}. ${dated}`, y + 4, { size: 9, colour: colour.soft });
	return draw(
		"P",
		"Le véritable extrait est délivré par le greffe du tribunal compétent, et gratuit pour le dirigeant sur monidenum.fr.",
		y + 1,
		{
			size: 9,
			colour: colour.soft,
		},
	);
}

/** The serif font has only French letters and no apostrophe. */
const getTitleFont = (text: string) => (/^[\w À-ÖØ-öø-ÿŒœŸ&.,-]+$/.test(text) ? "serif" : "sans-strong");

interface FilledRubric {
	heading: string;
	rows: readonly (readonly [label: string, value: string])[];
}

const column = { label: 190, gap: 16 };

function drawRubric(document: Document, root: Structure, { heading, rows }: FilledRubric, top: number): number {
	const at = { x: sheet.left, width };
	let y = drawText(document, root, {
		tag: "H2",
		text: heading,
		place: { ...at, y: top + 17 },
		style: { font: "sans-strong", size: 10.5, colour: colour.accent },
	});
	y = drawHairline(document, y + 3);
	for (const [label, value] of rows) {
		const left = { x: sheet.left, y: y + 5, width: column.label };
		const right = { x: sheet.left + column.label + column.gap, y: y + 5, width: width - column.label - column.gap };
		const soft = { size: 9, colour: colour.soft };
		y = Math.max(
			drawText(document, root, { tag: "P", text: label, place: left, style: soft }),
			drawText(document, root, { tag: "P", text: value, place: right, style: value === unknown ? soft : { size: 9.5 } }),
		);
	}
	return y;
}

/** « SPÉCIMEN — SANS VALEUR » across each page, over everything, so that no part of it can be cut out. */
function drawMarks(document: Document): void {
	const { start, count } = document.bufferedPageRange();
	const [x, y] = [595 / 2, 842 / 2];
	for (let page = 0; page < count; page++) {
		document.switchToPage(start + page);
		document.markContent("Artifact", { type: "Layout" });
		document.save().rotate(-52, { origin: [x, y] });
		document.font("sans-strong").fontSize(54).fillColor(colour.accent).fillOpacity(0.13);
		document.text(mark, x - document.widthOfString(mark) / 2, y - 30, { lineBreak: false });
		document.restore();
		document.endMarkedContent();
	}
}
