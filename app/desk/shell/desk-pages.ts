import { href } from "react-router";
import type { Role } from "../operators/roles.ts";

/** A page of the desk. */
export interface DeskPage {
	path: string;
	label: string;
	/** Any of these roles opens it; null: every operator. */
	roles: readonly Role[] | null;
	/** Second key after « g ». */
	key?: string;
	/** False: it is reached from other pages. */
	inMenu: boolean;
}

export const searchPage: DeskPage = {
	path: href("/bureau/recherche"),
	label: "Rechercher",
	roles: ["serve", "refund", "privacy"],
	key: "r",
	inMenu: true,
};

/** Every page below /bureau that needs a signed-in operator, in the order of the menu. A test compares it with app/routes.ts. */
export const deskPages: readonly DeskPage[] = [
	{ path: href("/bureau/commandes"), label: "Commandes", roles: ["serve"], key: "c", inMenu: true },
	{ path: href("/bureau/fichiers"), label: "Fichiers", roles: ["serve"], key: "f", inMenu: true },
	{ path: "/bureau/apercu", label: "Aperçu d’un fichier déposé", roles: ["serve"], inMenu: false },
	{ path: "/bureau/specimen", label: "Spécimen à déposer", roles: ["serve"], inMenu: false },
	{ path: "/bureau/documents", label: "Document d’une commande", roles: ["serve"], inMenu: false },
	searchPage,
	{ path: href("/bureau/messages"), label: "Messages", roles: ["serve"], key: "m", inMenu: true },
	{ path: href("/bureau/courrier"), label: "Courrier", roles: ["serve"], key: "p", inMenu: true },
	{ path: href("/bureau/argent"), label: "Argent", roles: ["refund"], key: "a", inMenu: true },
	{ path: href("/bureau/chiffres"), label: "Chiffres", roles: ["accounts", "settings"], key: "h", inMenu: true },
	{ path: href("/bureau/comptes"), label: "Comptes", roles: ["accounts", "months"], key: "k", inMenu: true },
	{ path: href("/bureau/reglages"), label: "Réglages", roles: ["settings"], key: "s", inMenu: true },
	{ path: href("/bureau/alertes"), label: "Alertes", roles: null, inMenu: false },
	{ path: href("/bureau/personnes"), label: "Données personnelles", roles: ["privacy"], key: "d", inMenu: true },
	{ path: href("/bureau/equipe"), label: "Équipe", roles: ["settings"], key: "e", inMenu: true },
	{ path: href("/bureau/journal"), label: "Journal", roles: ["settings", "privacy"], key: "j", inMenu: true },
	{ path: href("/bureau/mon-acces"), label: "Mon accès", roles: null, inMenu: false },
	{ path: href("/bureau/direct"), label: "Flux du bureau", roles: null, inMenu: false },
	{ path: href("/bureau/etat"), label: "État de la boutique", roles: null, inMenu: false },
	{ path: href("/bureau/action"), label: "Annuler ou approuver", roles: null, inMenu: false },
];

/** Whether an operator may open a page. */
export const mayOpen = ({ roles: needed }: Pick<DeskPage, "roles">, roles: readonly Role[]): boolean =>
	needed === null || needed.some((role) => roles.includes(role));
