import type { MessageRow } from "./list-messages.server.ts";

/** What a message is, for lists and pages of the desk. */
export const kindLabels: Record<MessageRow["kind"], string> = {
	contact: "Formulaire de contact",
	support: "Support",
	refund: "Demande de remboursement",
	mail: "E-mail",
};
