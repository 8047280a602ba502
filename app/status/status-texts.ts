import type { DayState } from "./availability.ts";
import type { Part } from "./part.ts";

/** /status-systeme: the words around what was measured. */
export const statusPage = {
	title: "État du service",
	description:
		"Ce qui fonctionne en ce moment chez {shopName} : site, recherche, paiement, commandes, documents et e-mails, avec l’historique des {probedDays} derniers jours.",

	allWorks: "Tout fonctionne.",
	works: "Fonctionne",
	down: "Indisponible",
	/** In place of the last measure, before the first. */
	firstMeasure: "Mesure en cours… La première est enregistrée dans les {probeInterval}.",
	lastMeasure: "Dernière mesure enregistrée :",
	rhythm: "Une mesure toutes les {probeInterval}.",

	partsHeading: "Partie par partie",
	legend: {
		ok: "aucun échec",
		gaps: "aucun échec, plus d’une heure sans mesure",
		some: "une partie des contrôles en échec",
		all: "tous les contrôles en échec",
		none: "aucune mesure",
	} satisfies Record<DayState, string>,
	/** What is asked of each part. */
	asked: {
		database: "Nous lisons la base de données.",
		search: "Nous faisons une vraie recherche dans la base d’entreprises.",
		payment: "Interrogé : {paymentProvider}.",
		jobs: "Un programme est là pour les traiter, et rien n’attend depuis plus de dix minutes.",
		storage: "Interrogé : {documentKeeper}.",
		mail: "Interrogé : {mailCarrier}.",
	} satisfies Record<Part, string>,

	incidentsHeading: "Incidents des {probedDays} derniers jours",
	noIncident: "Aucun incident relevé.",

	methodHeading: "Comment c’est mesuré",
	method: [
		"Toutes les {probeInterval}, notre propre serveur interroge chaque partie et note sa réponse. Une partie qui ne répond pas en deux secondes compte comme un échec. En ouvrant cette page, vous voyez aussi l’état du moment, vieux d’une demi-minute au plus.",
		"C’est nous qui mesurons, de l’intérieur. Si tout le serveur ou sa base de données s’arrête, personne ne mesure plus : l’arrêt apparaît comme une absence de mesure, pas comme un bon résultat. Et un contrôle réussi ne dit rien de votre connexion ni de ce qui s’est passé entre deux mesures.",
		"Un incident va du premier contrôle en échec au premier contrôle réussi qui suit. Les mesures qui manquent entre les deux sont comptées dans sa durée.",
		"Les mesures sont conservées {probedDays} jours. Elles décrivent ce qui a été observé ; elles ne sont ni une garantie ni un engagement de disponibilité.",
		"Quelque chose ne fonctionne pas alors que cette page dit le contraire ? [Écrivez-nous](/contact).",
	],
};
