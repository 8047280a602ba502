import { expect, test } from "vitest";
import { acts, findActByName } from "./act-table.server.ts";
import { readFields } from "./fields.ts";

// What each form of the desk is called and who may send it, and how each unreadable field is refused. Nothing runs.

test("each act has its role, its label, and whether it can be undone", () => {
	const described = acts.map(({ name, role, label, undoable = false, exclusive = false }) =>
		[name, role, label, undoable ? "undoable" : exclusive ? "exclusive" : ""].filter(Boolean).join(" | "),
	);
	expect(described).toEqual([
		"claim-next | serve | Prendre la suivante",
		"claim | serve | Prendre la commande",
		"release | serve | Rendre la commande",
		"take-over | serve | Prendre la commande à la place d’un autre",
		"correct-address | serve | Corriger l’adresse e-mail",
		"correct-letter | serve | Corriger l’adresse du courrier",
		"resend | serve | Renvoyer un e-mail",
		"record-request | serve | Noter l’extrait demandé au greffe | exclusive",
		"deliver | serve | Livrer l’extrait | undoable",
		"replace-extract | serve | Remplacer l’extrait | undoable",
		"discard-draft | serve | Retirer le fichier déposé | exclusive",
		"move-draft | serve | Déposer le fichier sur sa commande | exclusive",
		"not-found | serve | Signaler l’extrait introuvable | undoable",
		"change-company | serve | Changer l’entreprise de la commande | undoable",
		"correct-tracking | serve | Corriger le numéro de suivi | exclusive",
		"note | serve | Ajouter une note",
		"revoke-share | serve | Retirer un lien de partage",
		"mark-printed | serve | Marquer les courriers comme imprimés",
		"post-letter | serve | Noter le numéro de suivi d’un courrier",
		"close-shop | settings | Fermer la boutique",
		"reopen-shop | settings | Rouvrir la boutique",
		"pause-express | settings | Arrêter l’express",
		"resume-express | settings | Reprendre l’express",
		"add-days-off | settings | Ajouter des jours de fermeture",
		"remove-days-off | settings | Retirer des jours de fermeture",
		"set-capacity | settings | Limiter les commandes par heure",
		"set-pace | settings | Régler le rythme du bureau",
		"set-refund-brake | settings | Régler le frein des remboursements",
		"read-bulletin | settings | Relever le BODACC chaque jour",
		"stop-bulletin | settings | Arrêter le relevé du BODACC",
		"release-refund | refund | Faire partir un remboursement retenu",
		"release-refunds | refund | Faire partir les remboursements retenus",
		"update-accounts | accounts | Mettre les comptes à jour",
		"close-month | accounts | Clôturer un mois",
		"set-books | accounts | Régler le logiciel de comptabilité",
		"prepare-e-report | accounts | Préparer une transmission d’e-reporting",
		"extract-cost | serve | Noter le coût de l’extrait",
		"record-extract-cost | accounts | Noter le coût d’un extrait",
		"reply | serve | Répondre à un message",
		"claim-conversation | serve | Prendre un message",
		"take-over-conversation | serve | Reprendre le message d’un collègue",
		"close-conversation | serve | Classer un message sans répondre",
		"correct-bounced-address | serve | Corriger une adresse et renvoyer",
		"save-reply-template | settings | Changer un modèle de réponse",
		"delete-reply-template | settings | Retirer un modèle de réponse",
		"refund | refund | Rembourser | undoable",
		"refuse-refund-request | refund | Refuser une demande de remboursement | undoable",
		"close-failed-refund | refund | Régler autrement un remboursement revenu",
		"stop | refund | Arrêter la commande | exclusive",
		"reconcile | refund | Comparer avec le prestataire",
		"recreate-order | refund | Recréer une commande d’après sa copie",
		"adopt-payment | refund | Adopter les réponses du prestataire",
		"erase-person | privacy | Effacer une personne",
		"invite | settings | Inviter une personne",
		"cancel-invitation | settings | Annuler une invitation",
		"change-roles | settings | Changer les rôles",
		"end-operator | settings | Fermer l’accès d’une personne",
		"end-sessions | settings | Terminer les sessions d’une personne",
	]);
});

/** The accountant's software, as the shop begins. */
const books = { customers: "order", yearStart: "1", layout: "none", ownColumns: "", salesPeriod: "month" };

/** « field: sentence » of a form that is refused; « read » of another one. */
function read(act: string, fields: Record<string, string>): string {
	const known = findActByName(act) ?? expect.fail(act);
	const sent = readFields(known.fields, fields);
	if (sent.ok) return "read";
	return `${sent.field ?? ""}: ${sent.text.replaceAll("\u00a0", " ")}`;
}

const id = "00000000-0000-4000-8000-000000000001";
const wrong = "x";
const refund = { payment: "pi_1", left: "3900", part: "whole", cause: "late" };
const email = "ada@example.fr";
const tooLong = (length: number) => "a".repeat(length + 1);
const noReason = "because: Dites pourquoi, sans nommer personne.";
const noDraft = ": Déposez d’abord l’extrait.";
const noDate = "date: Cette date ne se lit pas. Écrivez-la ainsi : 21/11/2026 ou 21/11/2026 10:32.";
const noEmail = "email: Cette adresse e-mail n’est pas valable.";
const noRecipient = "recipient: Cette adresse e-mail n’est pas valable.";
const noPerson = ": Cette personne n’existe pas.";
const noDifference = ": Cette différence ne nomme aucune commande.";
const noConversation = ": Cet échange n’existe plus.";
const nothingLeft = ": Tout ce qui a été payé est déjà rendu, ou va l’être.";
const noAmount = "amount: Ce montant ne se lit pas : écrivez par exemple 3,20.";
const noTitle = "title: Donnez un titre, de 80 caractères au plus.";
const noName = "name: Donnez le nom de la personne.";
const otherAddress = "again: Ce n’est pas la même adresse. Retapez-la pour confirmer : rien n’est effacé.";
const unreadableRefund = "amount: Ce montant ne se lit pas. Écrivez-le en euros, par exemple 12,50.";

test.each<[string, Record<string, string>, string]>([
	["correct-address", { email: wrong }, noEmail],
	["correct-address", { email, recipient: wrong }, noRecipient],
	["correct-address", { email: ` ${email} `, recipient: ` ${email} ` }, "read"],
	["correct-address", { email, recipient: " " }, "read"],
	["correct-address", {}, noEmail],
	["resend", {}, "kind: Choisissez l’e-mail à renvoyer."],
	["deliver", {}, noDraft],
	["not-found", {}, "because: Choisissez la raison : elle complète l’e-mail du client."],
	["change-company", {}, "siren: Un SIREN a neuf chiffres."],
	["correct-tracking", {}, noReason],
	["note", {}, "text: Écrivez la note."],
	["revoke-share", {}, "share: Choisissez le lien à retirer."],
	["extract-cost", {}, noAmount],
	["reply", { conversation: id, text: "Bonjour" }, ": Ce formulaire n’est plus valable : rechargez la page."],
	["correct-bounced-address", {}, noEmail],
	["refund", {}, nothingLeft],
	["refuse-refund-request", {}, "answer: Écrivez votre réponse : le client la lira telle quelle."],
	["invite", {}, noName],
	["cancel-invitation", {}, ": Cette invitation n’existe pas."],
	["change-roles", {}, noPerson],
	["resend", { kind: wrong }, "kind: Choisissez l’e-mail à renvoyer."],
	["resend", { kind: "alert-late" }, "kind: Choisissez l’e-mail à renvoyer."],
	["resend", { kind: "document-ready-delivery" }, "read"],
	["resend", { kind: "confirmation" }, "read"],
	["deliver", { draft: wrong }, noDraft],
	["deliver", { draft: id, date: "hier" }, noDate],
	["deliver", { draft: id, date: " " }, "read"],
	["deliver", { draft: id, date: "21/11/2026 10:32" }, "read"],
	["replace-extract", { draft: wrong, because: "Page manquante" }, noDraft],
	["replace-extract", { draft: id, because: " " }, noReason],
	["replace-extract", { draft: id, because: tooLong(500) }, noReason],
	["replace-extract", { draft: id, because: ` ${"a".repeat(500)} ` }, "read"],
	["discard-draft", { draft: wrong }, noDraft],
	["move-draft", { draft: wrong, to: id }, noDraft],
	["move-draft", { draft: id, to: wrong }, ": Cette commande n’existe pas."],
	["move-draft", { draft: id, to: id }, "read"],
	["not-found", { because: wrong }, "because: Choisissez la raison : elle complète l’e-mail du client."],
	["change-company", { siren: "55", agreement: "Oui" }, "siren: Un SIREN a neuf chiffres."],
	["change-company", { siren: "552032535", agreement: "Oui" }, "siren: Ce SIREN n’existe pas : un de ses chiffres est faux."],
	["change-company", { siren: "552032534", agreement: " " }, "agreement: Notez quand et comment le client a donné son accord."],
	["change-company", { siren: "552032534", agreement: "Oui" }, "read"],
	["correct-tracking", { tracking: "1A1", because: " " }, noReason],
	["note", { text: " " }, "text: Écrivez la note."],
	["revoke-share", { share: wrong }, "share: Choisissez le lien à retirer."],
	["mark-printed", { run: wrong }, ": Rechargez la page : la liste des courriers a changé."],
	["mark-printed", {}, "read"],
	["close-month", { month: wrong, seen: "0".repeat(64), confirmed: "on" }, ": Ce mois n’existe pas."],
	["close-month", { month: "2026-11", seen: "0".repeat(65), confirmed: "on" }, ": Ce mois n’existe pas."],
	["close-month", { month: "2026-11", seen: "0".repeat(64) }, "confirmed: Cochez que vous avez relu les sommes."],
	["set-books", { ...books, customers: wrong }, "customers: Choisissez le compte des clients."],
	...["0", "13", "-1", "1.5", "", "011"].map((yearStart): [string, Record<string, string>, string] => [
		"set-books",
		{ ...books, yearStart },
		"yearStart: Choisissez le mois où commence l’exercice.",
	]),
	["set-books", { ...books, layout: wrong }, "layout: Choisissez le journal."],
	["set-books", { ...books, layout: "own" }, "ownColumns: Écrivez les colonnes, dans l’ordre de votre logiciel."],
	[
		"set-books",
		{ ...books, ownColumns: "Debit, - ; Crédit" },
		"ownColumns: La colonne 3 n’existe pas : écrivez les noms du FEC, ou un tiret pour une colonne vide.",
	],
	["set-books", { ...books, ownColumns: "Debit ".repeat(41) }, "ownColumns: Écrivez au plus 40 colonnes."],
	["set-books", { ...books, ownColumns: "Debit ".repeat(40) }, "read"],
	["set-books", { ...books, salesPeriod: wrong }, "salesPeriod: Choisissez la période des ventes."],
	...["A1B", "A1B23", "A1B-", ""].map((platformId): [string, Record<string, string>, string] => [
		"set-books",
		{ ...books, platformId, platformName: "Plateforme" },
		"platformId: Le matricule d’une plateforme agréée a quatre caractères.",
	]),
	["set-books", { ...books, platformId: "A1B2", platformName: " " }, "platformName: Donnez le nom de la plateforme."],
	["set-books", { ...books, platformId: "A1B2", platformName: tooLong(100) }, "platformName: Donnez le nom de la plateforme."],
	["set-books", { ...books, platformId: " a1b2 ", platformName: "a".repeat(100) }, "read"],
	["prepare-e-report", { flow: wrong, start: "2027-09-01", end: "2027-09-10" }, "flow: Cette période n’existe pas."],
	["prepare-e-report", { flow: "sales", start: "01/09/2027", end: "2027-09-10" }, ": Cette période n’existe pas."],
	["prepare-e-report", { flow: "sales", start: "2027-09-01" }, ": Cette période n’existe pas."],
	["prepare-e-report", { flow: "payments", start: "2027-09-01", end: "2027-09-30" }, "read"],
	["set-books", books, "read"],
	[
		"set-books",
		{ ...books, customers: "collective", yearStart: "12", layout: "own", ownColumns: " ecriturelet\n-", salesPeriod: "decade" },
		"read",
	],
	["extract-cost", { amount: "trois" }, noAmount],
	["record-extract-cost", { number: "KB-1", amount: "3,20" }, "number: Ce numéro de commande ne se lit pas."],
	["record-extract-cost", { number: "KB-2222-2222", amount: "trois" }, noAmount],
	["reply", { conversation: wrong, text: "Bonjour", read: "2026-11-23" }, noConversation],
	["reply", { conversation: id, text: "Bonjour", read: wrong }, ": Ce formulaire n’est plus valable : rechargez la page."],
	["reply", { conversation: id, text: " ", read: "2026-11-23" }, "text: Écrivez votre réponse."],
	...["claim-conversation", "take-over-conversation", "close-conversation"].map((act): [string, Record<string, string>, string] => [
		act,
		{ conversation: wrong },
		noConversation,
	]),
	["correct-bounced-address", { email: wrong }, noEmail],
	["correct-bounced-address", { email: ` ${email} ` }, "read"],
	["save-reply-template", { title: " ", text: "Bonjour" }, noTitle],
	["save-reply-template", { title: tooLong(80), text: "Bonjour" }, noTitle],
	["save-reply-template", { title: "a".repeat(80), text: "Bonjour {prenom}" }, "read"],
	["refund", { ...refund, payment: "pi 1" }, nothingLeft],
	["refund", { ...refund, left: "0" }, nothingLeft],
	["refund", { ...refund, left: "-1" }, nothingLeft],
	["refund", { ...refund, left: "1" }, "read"],
	["refund", { ...refund, part: wrong }, "amount: Choisissez un montant."],
	["refund", { ...refund, part: "other", amount: "douze" }, unreadableRefund],
	["refund", { ...refund, part: "other" }, unreadableRefund],
	["refund", { ...refund, part: "other", amount: "39,01" }, "amount: C’est trop : il reste 39,00 € à rembourser au plus."],
	["refund", { ...refund, part: "other", amount: "39" }, "read"],
	["refund", { ...refund, part: "half", cause: "constructor" }, "cause: Choisissez le motif."],
	["refund", { ...refund, cause: "other" }, "note: Précisez le motif dans la note."],
	["refund", { ...refund, cause: "other", note: "Geste" }, "read"],
	["refuse-refund-request", { answer: " " }, "answer: Écrivez votre réponse : le client la lira telle quelle."],
	["refuse-refund-request", { answer: tooLong(2000) }, "answer: Cette réponse est trop longue : 2 000 caractères au plus."],
	["refuse-refund-request", { answer: "a".repeat(2000) }, "read"],
	["close-failed-refund", { refund: wrong, note: "Virement" }, ": Ce remboursement n’existe pas."],
	["close-failed-refund", { note: "Virement" }, ": Ce remboursement n’existe pas."],
	["close-failed-refund", { refund: id, note: " " }, "note: Dites comment il est réglé : virement, chèque, référence."],
	["recreate-order", { lost: wrong }, noDifference],
	["adopt-payment", {}, noDifference],
	["erase-person", { email: wrong, again: wrong }, noEmail],
	["erase-person", { email, again: "bob@example.fr" }, otherAddress],
	["erase-person", { email }, otherAddress],
	["erase-person", { email: "ADA@example.fr", again: " Ada@Example.fr " }, "read"],
	["invite", { name: " ", email, "role-serve": "on" }, noName],
	["invite", { name: tooLong(100), email, "role-serve": "on" }, noName],
	["invite", { name: "Ada", email: wrong, "role-serve": "on" }, noEmail],
	["invite", { name: "Ada", email }, "roles: Cochez au moins un rôle."],
	["invite", { name: ` ${"a".repeat(100)} `, email: ` ${email} `, "role-serve": "on" }, "read"],
	["cancel-invitation", { invitation: wrong }, ": Cette invitation n’existe pas."],
	...["change-roles", "end-operator", "end-sessions"].map((act): [string, Record<string, string>, string] => [
		act,
		{ person: wrong },
		noPerson,
	]),
])("%s with %j", (act, fields, answer) => {
	expect(read(act, fields)).toBe(answer);
});

test("texts are read without blanks around them, and what is not typed as nothing", () => {
	const readAll = (name: string, fields: Record<string, string>) => readFields((findActByName(name) ?? expect.fail(name)).fields, fields);
	expect(readAll("correct-address", { email: ` ${email} `, recipient: ` bob@example.fr ` })).toEqual({
		...{ ok: true, input: { email, recipient: "bob@example.fr" } },
	});
	expect(readAll("correct-bounced-address", { email: ` ${email} `, reader: "delivery" })).toEqual({
		ok: true,
		input: { email, reader: "delivery" },
	});
	expect(readAll("correct-bounced-address", { email })).toEqual({ ok: true, input: { email, reader: "customer" } });
	expect(readAll("note", { text: " Rappeler " })).toEqual({ ok: true, input: { text: "Rappeler" } });
	expect(readAll("mark-printed", {})).toEqual({ ok: true, input: { run: null } });
	expect(readAll("refund", { ...refund, stop: "no" })).toMatchObject({ input: { left: 3900, part: "whole", note: null, stop: false } });
	expect(readAll("change-roles", { person: id, "role-serve": "on", roles: "all" })).toEqual({
		ok: true,
		input: { person: id, roles: ["serve"] },
	});
	expect(readAll("change-roles", { person: wrong })).toEqual({ ok: false, text: "Cette personne n’existe pas." });
});

test("a template with an unknown field is refused at its text", () => {
	expect(read("save-reply-template", { title: "Retard", text: "Bonjour {prénom}" })).toMatch(/^text: .*n’est pas un champ/);
});

test("acts about an order, and those that keep others away from it", () => {
	expect(acts.filter(({ aboutOrder }) => aboutOrder).map(({ name, claims }) => (claims ? `${name}, claimed` : name))).toEqual([
		...["claim", "release", "take-over", "correct-address", "correct-letter", "resend", "record-request, claimed", "deliver, claimed"],
		...["replace-extract", "discard-draft", "move-draft", "not-found, claimed", "change-company, claimed", "correct-tracking, claimed"],
		...["note", "revoke-share", "post-letter, claimed", "release-refund", "extract-cost", "correct-bounced-address"],
		...["refund", "refuse-refund-request", "stop"],
	]);
});

test("only a refund is approved by a second person", () => {
	expect(acts.filter(({ needsApproval }) => needsApproval).map(({ name }) => name)).toEqual(["refund"]);
});
