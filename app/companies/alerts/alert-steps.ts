import { href } from "react-router";
import type { LinkStep } from "../../content/email-links/read-link-step.ts";
import type { AlertConfirmationState } from "./confirm-alert.server.ts";
import type { EndState } from "./end-alerts.server.ts";

/** The pages behind the links of e-mails: sections of texts/alertes.md. */

const searchLink = { label: "Rechercher une entreprise", url: href("/recherche") };
const lostLink = { label: "Recevoir le lien de mes alertes", url: href("/alertes") };
const wrongEnd: LinkStep = { anchor: "arret-incorrect", status: 403, next: { label: "Nous écrire", url: href("/contact") } };

/** A confirmed alert and a full mailbox lead to the mailbox's list, whose URL the route adds. */
export const confirmationSteps: Record<AlertConfirmationState, LinkStep> = {
	asked: { anchor: "confirmer", status: 200, submit: "Confirmer mon alerte" },
	confirmed: { anchor: "confirmee", status: 200 },
	full: { anchor: "complet", status: 409 },
	expired: { anchor: "confirmation-expiree", status: 410, next: searchLink },
	unavailable: { anchor: "indisponible", status: 410, next: searchLink },
	wrong: { anchor: "confirmation-incorrecte", status: 403, next: searchLink },
};

/** The same where one link confirms several alerts. */
export const severalConfirmationSteps: Partial<Record<AlertConfirmationState, LinkStep>> = {
	asked: { anchor: "confirmer-plusieurs", status: 200, submit: "Confirmer mes alertes" },
	confirmed: { anchor: "confirmees", status: 200 },
};

export const endAlertSteps: Record<EndState, LinkStep> = {
	running: { anchor: "arreter", status: 200, submit: "Ne plus suivre cette entreprise" },
	ended: { anchor: "arretee", status: 200, next: searchLink },
	wrong: wrongEnd,
};

export const endAllSteps: Record<EndState, LinkStep> = {
	running: { anchor: "arreter-tout", status: 200, submit: "Arrêter toutes mes alertes" },
	ended: { anchor: "tout-arrete", status: 200, next: searchLink },
	wrong: wrongEnd,
};

/** The page of a mailbox's alerts, where its link cannot be used. */
export const listSteps: Record<"wrong" | "expired", LinkStep> = {
	wrong: { anchor: "lien-incorrect", status: 403, next: lostLink },
	expired: { anchor: "lien-expire", status: 410, next: lostLink },
};
