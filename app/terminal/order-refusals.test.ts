import { expect, test } from "vitest";
import { orderRefusals } from "./serving-commands.server.ts";

test.each([
	["unknown-order", "Cette commande n’existe pas."],
	["not-paid", "Cette commande n’est pas payée."],
	["completed", "Cette commande est déjà terminée."],
	["failed", "Cette commande a échoué ou a été annulée."],
	["erased", "Le client de cette commande a été effacé : il n’y a plus rien à corriger."],
	["disputed", "Le paiement de cette commande est contesté : ses documents restent bloqués jusqu’à la décision de la banque."],
	["refunded", "Cette commande a été remboursée en entier : il n’y a plus rien à corriger."],
	["reported-not-found", "Cette commande a été signalée comme introuvable au registre."],
	["has-extract", "Cette commande a déjà son extrait."],
	["other-extract", "Cette commande a déjà un extrait, différent de celui-ci."],
	["of-another-order", "Ce fichier a déjà été remis pour une autre commande."],
	["no-upload", "Cette commande n’a pas encore d’extrait : déposez-le avec upload."],
	["not-issued", "L’extrait déposé n’est pas encore émis : réessayez dans une minute (des tâches doivent tourner)."],
	["same-extract", "Ce fichier est déjà l’extrait de cette commande : rien n’est changé."],
	["purged", "C’est l’extrait de cette commande, mais sa durée de conservation est passée : il n’est pas remis en place."],
	["no-extract", "Déposez d’abord l’extrait de cette commande."],
	["not-postal", "Cette commande n’est pas à envoyer par courrier."],
	["invalid-tracking-number", "Ce numéro de suivi n’est pas valide : il a de 11 à 15 lettres et chiffres, par exemple 1A 234 567 8901 2."],
	["other-tracking-number", "Cette commande a déjà un numéro de suivi, différent de celui-ci."],
	["previous-tracking-number", "C’est le numéro du courrier précédent : notez celui du nouveau."],
	["same-tracking-number", "C’est déjà le numéro de suivi de cette commande : rien n’est changé."],
	["not-posted", "Le courrier de cette commande n’est pas encore posté : notez son numéro avec post."],
	["just-posted", "Le courrier vient d’être noté : réessayez quand la commande est terminée."],
] as const)("what an order does not take, for the operator: %s", (code, sentence) => {
	expect(orderRefusals[code]).toBe(sentence);
});
