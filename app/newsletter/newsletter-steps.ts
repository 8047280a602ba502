import { href } from "react-router";
import type { ConfirmationState } from "./confirm-subscription.server.ts";
import type { UnsubscribeState } from "./end-subscription.server.ts";

/** The page behind a link of an e-mail: a section of texts/lettre-information.md, then a button or a link. */
interface NewsletterStep {
	anchor: string;
	status: number;
	submit?: string;
	next?: { label: string; url: string };
}

const requestLink = { label: "Redemander la lettre", url: href("/lettre-information") };

export const confirmationSteps: Record<ConfirmationState, NewsletterStep> = {
	asked: { anchor: "confirmer", status: 200, submit: "Confirmer mon inscription" },
	confirmed: { anchor: "confirmee", status: 200, next: { label: "Retour à l’accueil", url: href("/") } },
	expired: { anchor: "confirmation-expiree", status: 410, next: requestLink },
	wrong: { anchor: "confirmation-incorrecte", status: 403, next: requestLink },
};

export const unsubscribeSteps: Record<UnsubscribeState, NewsletterStep> = {
	subscribed: { anchor: "desinscrire", status: 200, submit: "Me désinscrire" },
	ended: { anchor: "desinscrite", status: 200, next: requestLink },
	wrong: { anchor: "desinscription-incorrecte", status: 403, next: { label: "Nous écrire", url: href("/contact") } },
};
