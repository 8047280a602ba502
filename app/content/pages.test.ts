import { expect, test } from "vitest";
import { pages } from "./pages.ts";

/** The labels of each menu, in their order. */
test.each([
	["header", "Extrait Kbis, Tarifs, Plusieurs extraits, Mes commandes, Support, À propos"],
	[
		"mobile",
		"Accueil, Tarifs, Rechercher une entreprise, Commander, Plusieurs extraits, Mes commandes, Suivre ma commande, Ai-je besoin d’un Kbis\u00a0?, Centre d’aide, Vérifier un extrait, Support, À propos",
	],
	[
		"service",
		"KBIS Standard, KBIS Express, KBIS Postal, Tarifs, Rechercher une entreprise, Commander, Plusieurs extraits, Mes commandes, Suivre ma commande, Abonnement, Alertes sur une entreprise",
	],
	[
		"help",
		"Ai-je besoin d’un Kbis\u00a0?, Centre d’aide, Questions fréquentes, Guide de l’extrait Kbis, Que demande votre destinataire\u00a0?, Vérifier un extrait, État du service, Support, Contact",
	],
	["company", "À propos, Notre mission, Nos délais en chiffres, L’équipe, Carrières, Lettre d’information"],
	[
		"legal",
		"Mentions légales, Conditions générales de vente, Renoncer au contrat ici, Politique de confidentialité, Vos droits (RGPD), Cookies, Sécurité, Accessibilité",
	],
] as const)("the menu « %s » has these pages", (menu, labels) => {
	expect(
		pages
			.filter(({ menus }) => menus.includes(menu))
			.map(({ label }) => label)
			.join(", "),
	).toBe(labels);
});
