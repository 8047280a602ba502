import { cents } from "../catalogue/money.ts";
import type { InvoiceData } from "./invoice.ts";

/** For tests: nobody's invoice. */
export const invoice: InvoiceData = {
	kind: "invoice",
	number: "F2026-000042",
	// a quarter past midnight in Paris, the day before in UTC
	issuedAt: "2026-11-23T23:15:00.000Z",
	suppliedAt: "2026-11-22T10:00:00.000Z",
	corrects: null,
	orderNumber: "KB-7F3K-92QD",
	seller: {
		name: "ExtraitPro",
		legalEntity: "ExtraitPro, société de démonstration (fictive)",
		address: "1 rue de l’Exemple, 00000 Démoville",
		siren: "000 000 000",
		vat: "FR00 000000000",
		email: "contact@extraitpro.example",
		phone: "01 99 00 00 00",
	},
	buyer: {
		name: "Łukasz & Kőszegi <Associés>",
		contact: "Zoé Peșteră",
		address: "12 avenue de la République",
		postalCode: "69003",
		city: "Lyon",
		siren: "552032534",
	},
	line: { description: "KBIS Express, extrait de DANONE", total: cents(5900) },
	vatRate: 20,
	vatOnDebits: false,
	latePenalty: "trois fois le taux d’intérêt légal",
	paidAt: "2026-11-21T10:00:00.000Z",
};

export const creditNote: InvoiceData = {
	...invoice,
	kind: "credit_note",
	number: "A2026-000007",
	corrects: { number: "F2026-000042", issuedAt: "2026-11-21T10:00:00.000Z" },
};

export const privatePerson: InvoiceData["buyer"] = {
	...{ name: "Jeanne Martin", contact: null, address: null, postalCode: null, city: null },
	siren: null,
};

/** The same, at another price TTC, in cents. */
export const priced = (total: number): InvoiceData => ({ ...invoice, line: { ...invoice.line, total: cents(total) } });
