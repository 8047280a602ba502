import { reachWords } from "./contact-texts.ts";

/** /support: the questions that orders raise, and a form that says what it is about. */
export const supportTexts = {
	...reachWords,
	title: "Support",
	description:
		"Une commande en cours, une facture, un extrait reçu ? Les réponses aux questions courantes, un téléphone ({shopPhone}) et un formulaire : {shopName} répond sous {replyTime}.",
	lead: "Une commande en cours, une facture, un extrait reçu : nous répondons sous {replyTime}.",

	/** The button where others have a chat. */
	write: "Écrire un message",
	noChat: "Il n’y a pas de messagerie instantanée ici : la réponse à votre message arrive par e-mail.",

	questionsHeading: "Questions sur une commande",

	firstNameField: "Prénom",
	lastNameField: "Nom",
	phoneField: "Téléphone",
	phoneHint: "Un numéro français.",
	subjectField: "Sujet",
	subjectEmpty: "Choisissez un sujet",
};
