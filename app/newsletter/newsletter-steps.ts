import { href } from "react-router";
import type { ConfirmationState } from "./confirm-subscription.server.ts";
import type { EndState } from "./end-subscription.server.ts";

/** What the link of an e-mail leads to: a section of texts/lettre-information.md, then a button that acts or a link that leads on. */
interface Step {
	anchor: string;
	status: number;
	submit?: string;
	next?: { label: string; url: string };
}

const askAgain = { label: "Redemander la lettre", url: href("/lettre-information") };

export const confirmationSteps: Record<ConfirmationState, Step> = {
	asked: { anchor: "confirmer", status: 200, submit: "Confirmer mon inscription" },
	confirmed: { anchor: "confirmee", status: 200, next: { label: "Retour à l’accueil", url: href("/") } },
	expired: { anchor: "confirmation-expiree", status: 410, next: askAgain },
	wrong: { anchor: "confirmation-incorrecte", status: 403, next: askAgain },
};

export const endSteps: Record<EndState, Step> = {
	subscribed: { anchor: "desinscrire", status: 200, submit: "Me désinscrire" },
	ended: { anchor: "desinscrite", status: 200, next: askAgain },
	wrong: { anchor: "desinscription-incorrecte", status: 403, next: { label: "Nous écrire", url: href("/contact") } },
};
