import type { NotFoundReason } from "../../orders/lifecycle.ts";

/** The reasons of « introuvable », for the operator. */
export const notFoundReasonLabels: Record<NotFoundReason, string> = {
	removed: "L’entreprise est radiée",
	"wrong-siren": "Le SIREN n’est pas le bon",
	"no-kbis": "Association, profession libérale ou autre organisme sans Kbis",
	unknown: "Autre raison",
};
