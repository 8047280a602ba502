import { guaranteePeriod } from "./guarantee.ts";
import { type Cents, cents } from "./money.ts";

/** What is sold. Every page, mail, invoice and JSON-LD reads this one table. */
export type ServiceCode = "standard" | "express" | "postal";

export interface Service {
	code: ServiceCode;
	name: string;
	description: string;
	/** Follows « Livraison sous … »; hours are opening hours. A letter: 2 working days to be posted, then 1 to 3 on its way. */
	timeline: string;
	/** How it reaches the customer, in the order's summary. */
	delivery: string;
	deliveryMethod: "email" | "postal";
	/** TTC, before the postal supplement. */
	basePrice: Cents;
	postalSupplement: Cents;
	/** TTC, what is charged. */
	price: Cents;
	recommended: boolean;
	features: readonly string[];
	/** What sets it apart, above the button that pays: a promise that the software keeps (docs/rules.md, R24 and R29). */
	highlight: string;
}

const postalSupplement = cents(500);

/** How soon a letter is posted. Not « 48 heures ouvrées »: counted in opening hours, as our other delays are, that would be nearly five days. */
export const postedWithin = "48\u00a0h (2\u00a0jours ouvrés)";

export const services: Record<ServiceCode, Service> = {
	standard: {
		code: "standard",
		name: "KBIS Standard",
		description: "L’extrait en PDF, dans votre boîte e-mail.",
		timeline: "4 heures ouvrées",
		delivery: "Par e-mail, sous 4 heures ouvrées",
		deliveryMethod: "email",
		basePrice: cents(3900),
		postalSupplement: cents(0),
		price: cents(3900),
		recommended: false,
		features: ["Extrait au format PDF", "Envoi par e-mail", "Suivi de commande en ligne"],
		highlight: `Extrait erroné ou inutilisable : remboursé en totalité, après vérification, pendant ${guaranteePeriod}.`,
	},
	express: {
		code: "express",
		name: "KBIS Express",
		description: "L’extrait en PDF, traité en priorité.",
		timeline: "2 heures ouvrées",
		delivery: "Par e-mail, sous 2 heures ouvrées",
		deliveryMethod: "email",
		basePrice: cents(5900),
		postalSupplement: cents(0),
		price: cents(5900),
		recommended: true,
		features: ["Extrait au format PDF", "Traitement prioritaire", "Suivi de commande en ligne"],
		highlight: "En retard : remboursé en totalité, sans rien demander.",
	},
	postal: {
		code: "postal",
		name: "KBIS Postal",
		description: "L’extrait sur papier, par courrier suivi.",
		timeline: "3 à 5 jours ouvrés",
		delivery: `Par courrier suivi, posté sous ${postedWithin}`,
		deliveryMethod: "postal",
		basePrice: cents(3900),
		postalSupplement,
		price: cents(3900 + postalSupplement),
		recommended: false,
		features: ["Extrait imprimé", "Courrier suivi, posté sous 2\u00a0jours ouvrés", "Numéro de suivi par e-mail"],
		highlight: "Courrier suivi : le numéro de suivi vous est envoyé par e-mail dès que la lettre est postée.",
	},
};

export const serviceCodes = Object.keys(services) as ServiceCode[];

/** Reads a service code from outside; null when it is none of ours. */
export function parseServiceCode(value: string | null | undefined): ServiceCode | null {
	return serviceCodes.find((code) => code === value) ?? null;
}
