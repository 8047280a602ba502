import type { ShopIdentity } from "../../../server/environment/shop-identity.ts";
import type { Cents } from "../../catalogue/money.ts";

/** ISO 8601, UTC. */
interface IssuedNumber {
	number: string;
	issuedAt: string;
}

/** A service, with its price including VAT. */
export interface InvoiceLine {
	description: string;
	/** On a credit note: the refunded amount. */
	total: Cents;
	/** The customer's own reference, such as « dossier 2026-114 ». */
	reference?: string;
	/** Only of a purchase of several orders, whose lines are one order each. */
	orderNumber?: string;
}

/** The content of an invoice or a credit note, which never changes after issue. The PDF depends on nothing else. */
export interface InvoiceData {
	kind: "invoice" | "credit_note";
	/** « F2026-000001 », « A2026-000001 » */
	number: string;
	/** ISO 8601, UTC; printed as a day in Europe/Paris. */
	issuedAt: string;
	/** The payment in advance, which comes before the supply (CGI ann. II art. 242 nonies A, I, 10°): ISO 8601, UTC. */
	suppliedAt: string;
	/** The invoice that a credit note corrects. */
	corrects: IssuedNumber | null;
	/** On an invoice: the cancelled invoice in whose place it is. */
	replaces?: IssuedNumber;
	/** On the credit note of a cancelled invoice, which gives no money back: the number of the invoice in its place. */
	replacedBy?: string;
	/** Of a purchase of several orders: the number of its first one. */
	orderNumber: string;
	seller: Pick<ShopIdentity, "name" | "legalEntity" | "address" | "siren" | "rcs" | "vat" | "email" | "phone">;
	buyer: {
		/** The invoiced company, or the customer's name. */
		name: string;
		/** The contact of a company. */
		contact: string | null;
		address: string | null;
		postalCode: string | null;
		city: string | null;
		/** Null for a private person, and when unknown. */
		siren: string | null;
		/** Absent when the customer gave none. */
		vat?: string;
	};
	/** Where a letter goes, if elsewhere than to the buyer. */
	delivery?: {
		name: string;
		complement: string | null;
		address: string;
		postalCode: string;
		city: string;
	};
	/** One for each order of the purchase. A credit note of a refund has that of the refunded order. */
	lines: InvoiceLine[];
	/** VAT, in percent. */
	vatRate: number;
	/** VAT is due at the issue of the invoice, by the seller's choice (CGI art. 269, 2, c). */
	vatOnDebits: boolean;
	/** « trois fois le taux d’intérêt légal » (C. com. art. L441-10). */
	latePenalty: string;
	/** The charge of the card or, for a credit note, its refund: ISO 8601, UTC. */
	paidAt: string;
}

/** The column `invoices.data`, which may be damaged. */
export type StoredInvoice = Omit<InvoiceData, "lines"> & { lines?: InvoiceLine[] | null };

/** Reads a stored invoice, also when it is damaged, so that lists and exports work. Each query that selects it passes it here. */
export const parseStoredInvoice = ({ lines, ...data }: StoredInvoice): InvoiceData => ({ ...data, lines: lines ?? [] });
