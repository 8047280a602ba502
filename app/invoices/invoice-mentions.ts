import type { InvoiceData } from "./invoice.ts";

export interface Mention {
	/** UNTDID 4451 (BT-21): the codes that French invoices need are set by rule BR-FR-05 of AFNOR XP Z12-012. */
	code: "PMD" | "PMT" | "AAB" | null;
	text: string;
}

/** The shop only sells services (CGI ann. II art. 242 nonies A, amended by décret 2022-1299). */
export const operationCategory = "Prestation de services";

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
