import { formatDay } from "../../catalogue/instants.ts";
import type { InvoiceData, InvoiceLine } from "./invoice.ts";

export interface Mention {
	/** UNTDID 4451 (BT-21): the codes that French invoices need are set by rule BR-FR-05 of AFNOR XP Z12-012. */
	code: "PMD" | "PMT" | "AAB" | null;
	text: string;
}

/** The shop only sells services (CGI ann. II art. 242 nonies A, amended by décret 2022-1299). */
export const operationCategory = "Prestation de services";

/**
 * Says which invoice a document corrects, cancels or replaces, as the law requires (CGI art. 289, I, 5); null for the first invoice of
 * an order.
 */
export function describeCorrection({ corrects, replaces, replacedBy }: Pick<InvoiceData, "corrects" | "replaces" | "replacedBy">) {
	const format = ({ number, issuedAt }: { number: string; issuedAt: string }) => `la facture ${number} du ${formatDay(new Date(issuedAt))}`;
	if (replaces) return `Remplace ${format(replaces)}, annulée par un avoir`;
	if (corrects === null) return null;
	return replacedBy ? `Annule ${format(corrects)}, remplacée par la facture ${replacedBy}` : `Corrige ${format(corrects)}`;
}

/** « Commande KB-7F3K-92QD, référence : dossier 2026-114 »; the number only in a purchase of several orders; null when there is nothing to say. */
export function describeLine({ orderNumber, reference }: Pick<InvoiceLine, "orderNumber" | "reference">): string | null {
	if (orderNumber === undefined) return reference ? `Référence\u00a0: ${reference}` : null;
	return `Commande ${orderNumber}${reference ? `, référence\u00a0: ${reference}` : ""}`;
}

/** Whether the document is about a purchase of several orders. */
export const isOfSeveral = ({ lines }: Pick<InvoiceData, "lines">): boolean => lines.some(({ orderNumber }) => orderNumber !== undefined);

/** Returns the legal mentions of an invoice, for the page and for the XML. */
export function listMentions({ vatOnDebits, latePenalty }: Pick<InvoiceData, "vatOnDebits" | "latePenalty">): Mention[] {
	return [
		// the same article
		...(vatOnDebits ? [{ code: null, text: "Option pour le paiement de la taxe d’après les débits." }] : []),
		// C. com. art. L441-9 and L441-10, II concern professionals, whom an invoice does not always identify
		{
			code: "PMD",
			text: `Entre professionnels, tout retard de paiement entraîne des pénalités au taux de ${latePenalty} (C.\u00a0com., art.\u00a0L441-10).`,
		},
		// C. com. art. D441-5
		{
			code: "PMT",
			text: "Indemnité forfaitaire pour frais de recouvrement en cas de retard\u00a0: 40\u00a0€ (C.\u00a0com., art.\u00a0D441-5).",
		},
		{ code: "AAB", text: "Pas d’escompte pour paiement anticipé." },
	];
}
