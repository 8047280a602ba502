import { customerLinkMinutes } from "../catalogue/link-lifetimes.ts";
import type { EmailContent } from "../mail/email.ts";

/** The link to the orders of a mailbox. It names nobody and no order, because anybody may have typed the address. */
export const customerLinkEmail = (url: string): EmailContent => ({
	subject: "Votre lien vers vos commandes",
	preheader: `Il est valable ${customerLinkMinutes} minutes et s’utilise une seule fois.`,
	title: "Vos commandes",
	blocks: [
		"Bonjour,",
		"Vous avez demandé à voir les commandes passées avec cette adresse.",
		{ action: "Voir mes commandes", url },
		`Ce lien est valable ${customerLinkMinutes} minutes. Il ouvre une page avec un bouton, et s’utilise une seule fois.`,
		"Ne transmettez ce message à personne : ce lien ouvre vos commandes, vos documents et vos factures.",
		"Vous n’avez rien demandé ? Ignorez ce message : tant que ce lien n’est pas utilisé, il n’ouvre rien.",
	],
});
