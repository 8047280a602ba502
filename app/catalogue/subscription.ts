import { cents } from "./money.ts";

/** The subscription that is announced and not sold: nothing charges it. */
export const subscription = {
	name: "Abonnement KBIS",
	/** TTC, once, at the start. */
	firstPrice: cents(100),
	/** TTC, each month after. */
	monthlyPrice: cents(2985),
	availability: "Bientôt disponible",
	/** When it serves, once it is open. */
	delivery: "Accès immédiat dès l’ouverture",
	features: [
		"Extraits KBIS illimités pour vos entreprises",
		"Alertes en cas de mise à jour",
		"Tableaux de bord pour plusieurs entreprises",
		"API d’intégration",
		"Support prioritaire",
	],
} as const;
