import { cents } from "./money.ts";

/** The announced subscription. It is not sold yet, and nothing charges it. */
export const subscription = {
	name: "Abonnement KBIS",
	/** TTC, once, at the start. */
	firstPrice: cents(100),
	/** TTC, each month after. */
	monthlyPrice: cents(2985),
	availability: "Bientôt disponible",
	/** When customers get access after the launch. */
	delivery: "Accès immédiat dès l’ouverture",
	features: [
		"Extraits KBIS illimités pour vos entreprises",
		"Alertes en cas de mise à jour",
		"Tableaux de bord pour plusieurs entreprises",
		"API d’intégration",
		"Support prioritaire",
	],
} as const;
