import { href } from "react-router";
import { serviceCodes, services } from "../catalogue/services.ts";
import type { MenuPage } from "../ui/site.ts";
import { recipientDetails, recipientKinds } from "./recipients/recipient-kinds.ts";

/** The pages of all menus and of the sitemap. */
export const pages: readonly MenuPage[] = [
	{ path: href("/"), label: "Accueil", menus: ["mobile"] },
	{ path: `${href("/")}#services`, label: "Extrait Kbis", menus: ["header"] },
	...serviceCodes.map((code): MenuPage => ({ path: href(`/services/kbis-${code}`), label: services[code].name, menus: ["service"] })),
	{ path: href("/tarifs"), label: "Tarifs", menus: ["header", "mobile", "service"] },
	{ path: href("/recherche"), label: "Rechercher une entreprise", menus: ["mobile", "service"] },
	{ path: href("/commande"), label: "Commander", menus: ["mobile", "service"] },
	{ path: href("/commande/plusieurs"), label: "Plusieurs extraits", menus: ["header", "mobile", "service"] },
	{ path: href("/mes-commandes"), label: "Mes commandes", menus: ["header", "mobile", "service"] },
	{ path: href("/suivi-commande"), label: "Suivre ma commande", menus: ["mobile", "service"] },
	{ path: href("/abonnement"), label: "Abonnement", menus: ["service"] },
	{ path: href("/alertes"), label: "Alertes sur une entreprise", menus: ["service"] },

	{ path: href("/ai-je-besoin-d-un-kbis"), label: "Ai-je besoin d’un Kbis\u00a0?", menus: ["mobile", "help"] },
	{ path: href("/aide"), label: "Centre d’aide", menus: ["mobile", "help"] },
	{ path: href("/faq"), label: "Questions fréquentes", menus: ["help"] },
	{ path: href("/guide-kbis"), label: "Guide de l’extrait Kbis", menus: ["help"] },
	{ path: href("/destinataires"), label: "Que demande votre destinataire\u00a0?", menus: ["help"] },
	...recipientKinds.map((kind): MenuPage => ({ path: href(`/destinataires/${kind}`), label: recipientDetails[kind].label, menus: [] })),
	{ path: href("/verifier"), label: "Vérifier un extrait", menus: ["mobile", "help"] },
	{ path: href("/status-systeme"), label: "État du service", menus: ["help"] },
	{ path: href("/support"), label: "Support", menus: ["header", "mobile", "help"] },
	{ path: href("/contact"), label: "Contact", menus: ["help"] },

	{ path: href("/a-propos"), label: "À propos", menus: ["header", "mobile", "company"] },
	{ path: href("/mission"), label: "Notre mission", menus: ["company"] },
	{ path: href("/statistiques"), label: "Nos délais en chiffres", menus: ["company"] },
	{ path: href("/equipe"), label: "L’équipe", menus: ["company"] },
	{ path: href("/carrieres"), label: "Carrières", menus: ["company"] },
	{ path: href("/lettre-information"), label: "Lettre d’information", menus: ["company"] },

	{ path: href("/mentions-legales"), label: "Mentions légales", menus: ["legal"] },
	{ path: href("/cgv"), label: "Conditions générales de vente", menus: ["legal"] },
	{ path: href("/retractation"), label: "Renoncer au contrat ici", menus: ["legal"] },
	{ path: href("/politique-confidentialite"), label: "Politique de confidentialité", menus: ["legal"] },
	{ path: href("/politique-rgpd"), label: "Vos droits (RGPD)", menus: ["legal"] },
	{ path: href("/cookies"), label: "Cookies", menus: ["legal"] },
	{ path: href("/securite"), label: "Sécurité", menus: ["legal"] },
	{ path: href("/accessibilite"), label: "Accessibilité", menus: ["legal"] },
];
