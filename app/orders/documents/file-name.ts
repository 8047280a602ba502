import { zone } from "../../catalogue/instants.ts";
import type { DocumentType } from "./documents.store.server.ts";

/** What a file name says of a document. */
export interface NamedDocument {
	type: DocumentType;
	/** The number of an invoice or a credit note. */
	number: string | null;
	/** Null for a masked company. */
	companyName: string | null;
	siren: string;
	issuedAt: Date;
	/** A sole trader has an extract K (docs/rules.md, R3). */
	soleTrader: boolean;
}

const maxNameLength = 60;

/**
 * « Kbis_GTE-PLOMBERIE_797741931_2026-11-22.pdf », « Extrait-K_… », « Facture_F2026-000001.pdf », « Avoir_A2026-000001.pdf ».
 * Letters without accents, digits, dashes and underscores only: every file system and every header accepts them as they are.
 */
export function formatFileName({ type, number, companyName, siren, issuedAt, soleTrader }: NamedDocument): string {
	if (type !== "kbis") return `${[type === "invoice" ? "Facture" : "Avoir", foldName(number ?? "")].filter(Boolean).join("_")}.pdf`;
	const parts = [soleTrader ? "Extrait-K" : "Kbis", foldName(companyName ?? ""), siren, day.format(issuedAt)];
	return `${parts.filter(Boolean).join("_")}.pdf`;
}

/** « Kbis_DANONE_dossier-2026-114_KB-7F3K-92QD.pdf »: the extract of one order among others. Its number makes the name unique. */
export function formatFileNameInPurchase({
	companyName,
	soleTrader,
	reference,
	orderNumber,
}: Pick<NamedDocument, "companyName" | "soleTrader"> & {
	/** The customer's own; null without one. */
	reference: string | null;
	orderNumber: string;
}): string {
	const parts = [soleTrader ? "Extrait-K" : "Kbis", foldName(companyName ?? ""), foldName(reference ?? ""), orderNumber];
	return `${parts.filter(Boolean).join("_")}.pdf`;
}

/** « 2026-11-22 » in Paris. */
const day = new Intl.DateTimeFormat("sv-SE", { timeZone: zone });

const ligatures: Record<string, string> = { Œ: "OE", œ: "oe", Æ: "AE", æ: "ae", ß: "ss", Ø: "O", ø: "o", Ł: "L", ł: "l" };

/** Folds a name to letters, digits and single dashes, at most 60 characters; empty when nothing is left. */
function foldName(name: string): string {
	const folded = name
		.replace(/[ŒœÆæßØøŁł]/g, (letter) => ligatures[letter] ?? "")
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.replace(/[^A-Za-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");
	if (folded.length <= maxNameLength) return folded;
	// ends with a whole word where there is one
	return folded
		.slice(0, maxNameLength + 1)
		.replace(/-[^-]*$/, "")
		.slice(0, maxNameLength);
}

/**
 * The header Content-Disposition of a download (RFC 6266).
 * @param fileName of `formatFileName`: ASCII without quotes, so the parameter `filename*` of RFC 8187 would say the same.
 */
export function formatAttachmentHeader(fileName: string): string {
	return `attachment; filename="${fileName}"`;
}

/** The French name of each document type. */
export const documentNames: Record<DocumentType, string> = { kbis: "Extrait", invoice: "Facture", credit_note: "Avoir" };
