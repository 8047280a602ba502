import { href } from "react-router";
import type { LinkStep } from "../../content/email-links/read-link-step.ts";
import type { ConfirmationState } from "./confirm-subscription.server.ts";
import type { UnsubscribeState } from "./end-subscription.server.ts";

const requestLink = { label: "Redemander la lettre", url: href("/lettre-information") };

export const confirmationSteps: Record<ConfirmationState, LinkStep> = {
	asked: { anchor: "confirmer", status: 200, submit: "Confirmer mon inscription" },
	confirmed: { anchor: "confirmee", status: 200, next: { label: "Retour à l’accueil", url: href("/") } },
	expired: { anchor: "confirmation-expiree", status: 410, next: requestLink },
	wrong: { anchor: "confirmation-incorrecte", status: 403, next: requestLink },
};

export const unsubscribeSteps: Record<UnsubscribeState, LinkStep> = {
	subscribed: { anchor: "desinscrire", status: 200, submit: "Me désinscrire" },
	ended: { anchor: "desinscrite", status: 200, next: requestLink },
	wrong: { anchor: "desinscription-incorrecte", status: 403, next: { label: "Nous écrire", url: href("/contact") } },
};
