import type { Cents } from "../catalogue/money.ts";

/** What an invoice or a credit note says, frozen when it is issued: its PDF is made from this and nothing else. */
export interface InvoiceData {
	kind: "invoice" | "credit_note";
	/** « F2026-000001 », « A2026-000001 » */
	number: string;
	/** ISO 8601, UTC; printed as a day in Europe/Paris. */
	issuedAt: string;
	/** When the service was supplied or paid for, whichever comes first (CGI art. 269, 2, c bis): ISO 8601, UTC. */
	suppliedAt: string;
	/** The invoice that a credit note corrects. */
	corrects: { number: string; issuedAt: string } | null;
	orderNumber: string;
	seller: {
		/** The trade name, then the legal entity. */
		name: string;
		legalEntity: string;
		/** One line: « 1 rue de la Paix, 75002 Paris ». */
		address: string;
		siren: string;
		vat: string;
		email: string;
		phone: string;
	};
	buyer: {
		/** The company that is billed, or the customer's own name. */
		name: string;
		/** The person behind a company. */
		contact: string | null;
		address: string | null;
		postalCode: string | null;
		city: string | null;
		/** Only on invoices issued until 22 November 2026, which stay as they were issued: an invoice needs none (CGI ann. II art. 242 nonies A). */
		email?: string;
		/** Null for a private person, and where it was not given. */
		siren: string | null;
	};
	/** One line: what was sold, with its TTC price; a credit note gives the same line, or a part of it, back. */
	line: { description: string; total: Cents };
	/** VAT, in percent. Absent on invoices issued until 23 November 2026: 20 (`vatRateOf`). */
	vatRate?: number;
	/** VAT is due when the invoice is issued, at the seller's choice (CGI art. 269, 2, c). */
	vatOnDebits: boolean;
	/** « trois fois le taux d’intérêt légal » (C. com. art. L441-10). */
	latePenalty: string;
	/** When the card was charged or, for a credit note, refunded: ISO 8601, UTC. */
	paidAt: string;
}
