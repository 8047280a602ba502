import { formatHour, inParis } from "../../catalogue/instants.ts";
import { noExtractRefusal, unknownCompany } from "../../companies/company-notices.ts";
import type { LimitName } from "../../orders/place-purchase.server.ts";
import type { CheckedLine } from "../form/lines/checked-line.ts";
import { orderFields } from "../form/order-form.ts";
import { emailRefused } from "../form/refused-email.ts";
import type { CheckoutRefusal } from "./start-checkout.server.ts";

/** Shown when a payment cannot be opened, also after an error of ours. */
export const paymentFailed = "Erreur lors du traitement du paiement";

interface CheckoutError {
	status: 400 | 409 | 429 | 502;
	sentence: string;
}

/** Of an order that is placed already, where no field takes another address. */
export const orderEmailRefused =
	"Notre prestataire de paiement refuse l’adresse e-mail de cette commande. Commandez de nouveau avec une autre adresse.";

const unknownService = "Ce service n’existe pas.";

/** The delivery method of the API must be that of the service. */
export const wrongDelivery = "Le mode de livraison ne correspond pas à ce service.";

const errors: Record<Exclude<CheckoutRefusal["code"], "unorderable" | "invalid-fields" | "limited" | "closed" | "full">, CheckoutError> = {
	"wrong-amount": { status: 400, sentence: "Le montant ne correspond pas au tarif de ce service." },
	"later-hour": { status: 409, sentence: "L’heure promise est devenue plus tardive pendant votre commande." },
	"key-reused": { status: 409, sentence: "Cette clé a déjà servi pour une autre commande." },
	"already-paid": { status: 400, sentence: "Cette commande est déjà réglée." },
	"not-payable": { status: 502, sentence: paymentFailed },
	unavailable: { status: 502, sentence: paymentFailed },
	refused: { status: 502, sentence: paymentFailed },
	"email-refused": { status: 400, sentence: emailRefused },
	"no-url": { status: 502, sentence: "Aucune URL de paiement reçue" },
};

const limitSentences: Record<LimitName, string> = {
	client: "Trop de commandes ont été passées depuis votre connexion.",
	mailbox: "Trop de commandes ont été passées avec cette adresse e-mail.",
	shop: "Nous recevons trop de commandes en ce moment.",
};

/** The error of the page and the API for a refused order. Agreed texts (docs/rules.md, R52). */
export function describeCheckoutRefusal(refusal: CheckoutRefusal): CheckoutError {
	if (refusal.code === "unorderable") return { status: 400, sentence: describeUnorderable(refusal.lines) };
	if (refusal.code === "invalid-fields") {
		const field = orderFields.find((name) => refusal.errors[name] !== undefined);
		return { status: 400, sentence: (field && refusal.errors[field]) ?? paymentFailed };
	}
	if (refusal.code === "limited")
		return { status: 429, sentence: `${limitSentences[refusal.by]} Réessayez à partir de ${formatHour(refusal.retryFrom)}${inParis}.` };
	// 503 would count as a fault of the server
	if (refusal.code === "closed" || refusal.code === "full")
		return { status: refusal.code === "full" ? 429 : 409, sentence: refusal.sentence };
	return errors[refusal.code];
}

/** Why the first of these lines cannot be ordered. */
function describeUnorderable([line]: readonly CheckedLine[]): string {
	if (line?.problem === null) return unknownService;
	return line?.problem.code === "no-extract" ? noExtractRefusal : unknownCompany;
}
