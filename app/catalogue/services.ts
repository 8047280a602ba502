import { guaranteePeriod } from "./guarantee.ts";
import { type Cents, cents } from "./money.ts";

/** In the order in which the pages show them. */
export const serviceCodes = ["standard", "express", "postal"] as const;

export type ServiceCode = (typeof serviceCodes)[number];

/** What is decided of a service. The other texts and the price follow from it. */
interface Offer {
	name: string;
	description: string;
	/** TTC, before the postal supplement. */
	basePrice: Cents;
	recommended: boolean;
	features: readonly string[];
	/** What sets it apart, above the button that pays: a promise that the software keeps (docs/rules.md, R24 and R29). */
	highlight: string;
	/** A late order is refunded in full, and its document still delivered (docs/rules.md, R24). */
	refundedWhenLate: boolean;
}

export interface Service extends Offer {
	code: ServiceCode;
	deliveryMethod: "email" | "postal";
	/** What is owed: opening hours until the e-mail is sent, or working days until the letter is posted. */
	term: { openHours: number } | { workingDays: number };
	/** Until the e-mail is sent or the letter posted. Follows « sous ». */
	sentWithin: string;
	/** Until the customer has the extract. Follows « Livraison sous ». */
	timeline: string;
	/** How it reaches the customer, in the order's summary. */
	delivery: string;
	postalSupplement: Cents;
	/** TTC, what is charged. */
	price: Cents;
}

function byEmail(code: ServiceCode, openHours: number, offer: Offer): Service {
	const timeline = `${openHours} heures ouvrées`;
	return {
		...offer,
		code,
		deliveryMethod: "email",
		term: { openHours },
		sentWithin: timeline,
		timeline,
		delivery: `Par e-mail, sous ${timeline}`,
		postalSupplement: cents(0),
		price: offer.basePrice,
	};
}

/** A posted letter is on its way for 1 to 3 working days. */
function byPost(code: ServiceCode, workingDays: number, postalSupplement: Cents, offer: Offer): Service {
	// not « 48 heures ouvrées »: counted in opening hours, as our other delays are, that would be nearly five days
	const sentWithin = `${workingDays * 24}\u00a0h (${describeWorkingDays(workingDays)})`;
	return {
		...offer,
		code,
		deliveryMethod: "postal",
		term: { workingDays },
		sentWithin,
		timeline: `${workingDays + 1} à ${workingDays + 3} jours ouvrés`,
		delivery: `Par courrier suivi, posté sous ${sentWithin}`,
		postalSupplement,
		price: cents(offer.basePrice + postalSupplement),
	};
}

const describeWorkingDays = (days: number) => `${days}\u00a0jours ouvrés`;

const postalDays = 2;

/** What is sold. Every page, mail, invoice and JSON-LD reads this one table. */
export const services: Record<ServiceCode, Service> = {
	standard: byEmail("standard", 4, {
		name: "KBIS Standard",
		description: "L’extrait en PDF, dans votre boîte e-mail.",
		basePrice: cents(3900),
		recommended: false,
		features: ["Extrait au format PDF", "Envoi par e-mail", "Suivi de commande en ligne"],
		highlight: `Extrait erroné ou inutilisable : remboursé en totalité, après vérification, pendant ${guaranteePeriod}.`,
		refundedWhenLate: false,
	}),
	express: byEmail("express", 2, {
		name: "KBIS Express",
		description: "L’extrait en PDF, traité en priorité.",
		basePrice: cents(5900),
		recommended: true,
		features: ["Extrait au format PDF", "Traitement prioritaire", "Suivi de commande en ligne"],
		highlight: "En retard : remboursé en totalité, sans rien demander.",
		refundedWhenLate: true,
	}),
	postal: byPost("postal", postalDays, cents(500), {
		name: "KBIS Postal",
		description: "L’extrait sur papier, par courrier suivi.",
		basePrice: cents(3900),
		recommended: false,
		features: ["Extrait imprimé", `Courrier suivi, posté sous ${describeWorkingDays(postalDays)}`, "Numéro de suivi par e-mail"],
		highlight: "Courrier suivi : le numéro de suivi vous est envoyé par e-mail dès que la lettre est postée.",
		refundedWhenLate: false,
	}),
};

/** What the order form suggests where nothing is chosen. */
export const suggestedService: ServiceCode = serviceCodes.find((code) => services[code].recommended) ?? serviceCodes[0];

/** The services that end with a posted letter. */
export const postedServices: readonly ServiceCode[] = serviceCodes.filter((code) => isPosted(code));

export function isPosted(code: ServiceCode): boolean {
	return services[code].deliveryMethod === "postal";
}

/** Reads a service code from outside; null when it is none of ours. */
export function parseServiceCode(value: string | null | undefined): ServiceCode | null {
	return serviceCodes.find((code) => code === value) ?? null;
}
