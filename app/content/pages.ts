import { href } from "react-router";
import type { MenuPage } from "../ui/layout.tsx";

/** The table of pages: every menu is drawn from it. A page enters when it exists. */
export const pages: readonly MenuPage[] = [
	{ path: href("/"), label: "Accueil", menus: ["mobile"] },
	{ path: `${href("/")}#services`, label: "Extrait Kbis", menus: ["header", "site"] },
	{ path: href("/recherche"), label: "Rechercher une entreprise", menus: ["header", "mobile", "site"] },
	{ path: href("/commande"), label: "Commander", menus: ["mobile", "site"] },
	{ path: href("/suivi-commande"), label: "Suivre ma commande", menus: ["header", "mobile", "site"] },
	{ path: href("/abonnement"), label: "Abonnement", menus: ["mobile", "site"] },
	{ path: href("/contact"), label: "Contact", menus: ["mobile", "site"] },
	{ path: href("/lettre-information"), label: "Lettre d’information", menus: ["site"] },
	{ path: `${href("/")}#faq`, label: "Questions fréquentes", menus: ["site"] },
	{ path: href("/cgv"), label: "Conditions générales de vente", menus: ["legal"] },
	{ path: href("/retractation"), label: "Renoncer au contrat ici", menus: ["legal"] },
	{ path: href("/politique-confidentialite"), label: "Politique de confidentialité", menus: ["legal"] },
	{ path: href("/politique-rgpd"), label: "Vos droits (RGPD)", menus: ["legal"] },
];
