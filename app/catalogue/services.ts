import { guaranteePeriod } from "./after-sale.ts";
import { type Cents, cents } from "./money.ts";

/** In the order of the pages. */
export const serviceCodes = ["standard", "express", "postal"] as const;

export type ServiceCode = (typeof serviceCodes)[number];

/** The choices that define a service. The other texts and the price are derived from them. */
interface Offer {
	name: string;
	description: string;
	/** TTC, before the postal supplement. */
	basePrice: Cents;
	recommended: boolean;
	features: readonly string[];
	/** A guarantee, above the pay button; the software enforces it (docs/rules.md, R24 and R29). */
	highlight: string;
	/** Whether a late order is refunded in full; its document is still delivered (docs/rules.md, R24). */
	refundedWhenLate: boolean;
}

export interface Service extends Offer {
	code: ServiceCode;
	deliveryMethod: "email" | "postal";
	/** The promised time: opening hours until the e-mail is sent, or working days until the extract is posted. */
	term: { openHours: number } | { workingDays: number };
	/** The time until the extract is sent or posted. Follows « sous ». */
	sentWithin: string;
	/** The time until the customer has the extract. Follows « Livraison sous ». */
	timeline: string;
	/** The delivery, in the summary of the order. */
	delivery: string;
	postalSupplement: Cents;
	/** TTC, the amount charged. */
	price: Cents;
}

function byEmail(code: ServiceCode, openHours: number, offer: Offer): Service {
	const timeline = `${openHours}\u00a0heures ouvrées`;
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

/** Working days on the way, after a letter was posted. */
export interface Transit {
	from: number;
	to: number;
}

/** To metropolitan France with Corsica, and Monaco. */
export const homeTransit: Transit = { from: 1, to: 3 };

/** The timeline is that of the home territory: a letter overseas takes longer (transit.ts). */
function byPost(code: ServiceCode, workingDays: number, postalSupplement: Cents, offer: Offer): Service {
	// not « 48 heures ouvrées », because 48 opening hours are nearly five days
	const sentWithin = `${workingDays * 24}\u00a0h (${formatWorkingDays(workingDays)})`;
	return {
		...offer,
		code,
		deliveryMethod: "postal",
		term: { workingDays },
		sentWithin,
		timeline: `${workingDays + homeTransit.from} à ${workingDays + homeTransit.to}\u00a0jours ouvrés en métropole`,
		delivery: `Par courrier suivi, posté sous ${sentWithin}`,
		postalSupplement,
		price: cents(offer.basePrice + postalSupplement),
	};
}

const formatWorkingDays = (days: number) => `${days}\u00a0jours ouvrés`;

const postalDays = 2;

/** The services sold. Pages, e-mails, invoices and JSON-LD all read this table. */
export const services: Record<ServiceCode, Service> = {
	standard: byEmail("standard", 4, {
		name: "KBIS Standard",
		description: "L’extrait en PDF, dans votre boîte e-mail.",
		basePrice: cents(3900),
		recommended: false,
		features: ["Extrait au format PDF", "Envoi par e-mail", "Suivi de commande en ligne"],
		highlight: `Extrait erroné ou inutilisable\u00a0: remboursé en totalité, après vérification, pendant ${guaranteePeriod}.`,
		refundedWhenLate: false,
	}),
	express: byEmail("express", 2, {
		name: "KBIS Express",
		description: "L’extrait en PDF, traité en priorité.",
		basePrice: cents(5900),
		recommended: true,
		features: ["Extrait au format PDF", "Traitement prioritaire", "Suivi de commande en ligne"],
		highlight: "En retard\u00a0: remboursé en totalité, sans que vous ayez à le demander.",
		refundedWhenLate: true,
	}),
	postal: byPost("postal", postalDays, cents(500), {
		name: "KBIS Postal",
		description: "L’impression du fichier du greffe, par courrier suivi.",
		basePrice: cents(3900),
		recommended: false,
		features: [
			"Code de vérification du greffe",
			`Courrier suivi, posté sous ${formatWorkingDays(postalDays)}`,
			"Numéro de suivi par e-mail",
		],
		highlight: "Courrier suivi\u00a0: son numéro de suivi vous est envoyé par e-mail.",
		refundedWhenLate: false,
	}),
};

/** What a letter is, for who may need more than a print-out: said beside its address, before the payment. */
export const paperNotice =
	"C’est l’impression du fichier du greffe, avec son code de vérification. On vous demande un original signé\u00a0? Demandez-le au greffe.";

/** How a PDF arrives: an e-mail that brings several has no attachment (R146). */
export const pdfDelivery = "en pièce jointe d’un e-mail ou, pour plusieurs extraits d’un même service, par un lien de téléchargement";

/** Its name where all are extracts: « Express ». */
export const getShortName = (code: ServiceCode): string => services[code].name.replace("KBIS ", "");

/** The service preselected in the order form. */
export const suggestedService: ServiceCode = serviceCodes.find((code) => services[code].recommended) ?? serviceCodes[0];

/** The services delivered by post. */
export const postedServices: readonly ServiceCode[] = serviceCodes.filter((code) => isPosted(code));

export function isPosted(code: ServiceCode): boolean {
	return services[code].deliveryMethod === "postal";
}

/** Parses a service code; null for an unknown one. */
export function parseServiceCode(value: string | null | undefined): ServiceCode | null {
	return serviceCodes.find((code) => code === value) ?? null;
}
