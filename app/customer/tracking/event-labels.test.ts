import { expect, test } from "vitest";
import { describeEvent } from "./event-labels.ts";

test.each<[...Parameters<typeof describeEvent>, string | null]>([
	["posted", {}, "Courrier posté"],
	["posted", { again: true }, "Nouveau courrier posté"],
	["extract_replaced", {}, "Extrait remplacé par un nouveau"],
	["extract_replaced", { post: true }, "Extrait remplacé : un nouveau courrier va vous être envoyé"],
	["invoice_corrected", { invoice: "F2", replaces: "F1" }, "Facture corrigée : la F2 remplace la F1"],
	["address_corrected", {}, "Adresse e-mail corrigée"],
	["address_corrected", { letter: true }, "Adresse de livraison corrigée"],
	["address_corrected", { resent: true, own: true }, "Extrait envoyé à une autre adresse"],
	["company_changed", { name: "DANONE" }, "Entreprise corrigée : DANONE"],
	["refunded", { amount: 5900 }, "Remboursement effectué : 59,00 €"],
	["refunded", { amount: 5900, surplus: true }, "Paiement en double remboursé : 59,00 €"],
	["refunded", { amount: "5900" }, "Remboursement effectué"],
	["disputed", { status: "won" }, "Contestation terminée : le paiement est maintenu"],
	["disputed", { status: "lost" }, "Contestation terminée : la banque vous a remboursé"],
	["disputed", { status: "open" }, "Paiement contesté auprès de la banque"],
	["mail_bounced", { kind: "document-ready-delivery" }, "L’e-mail à votre destinataire a été refusé par sa messagerie"],
	["mail_bounced", { kind: "document-ready" }, "Un e-mail a été refusé par votre messagerie"],
	["mail_bounced", {}, "Un e-mail a été refusé par votre messagerie"],
	["mail_sent", {}, null],
	["completed", {}, "Commande terminée"],
])("%s with %j", (type, payload, sentence) => {
	expect(describeEvent(type, payload)?.replaceAll(/[\u00a0\u202f]/g, " ") ?? null).toBe(sentence);
});
