import { nameInSentence, nameInSubject } from "../companies/company-name.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { formatLetterAddress } from "../orders/letter-address.ts";
import { nameWithOf } from "../ui/name-with-of.ts";
import { defineOrderEmail } from "./define-order-email.server.ts";
import { greetCustomer, identifyOrder, linkTracking } from "./email-parts.ts";

/** Tells the previous address that it gets nothing more. It may be a stranger's: without name, company and link. */
export const addressCorrected = defineOrderEmail({
	name: "address-corrected",
	to: "previous",
	label: "Adresse corrigée, à l’ancienne adresse",
	// an address of the order opens it still: only later e-mails go elsewhere
	load: async (_, { mail, order }) => ({ opensOrder: normalizeEmail(mail.recipient ?? "") === normalizeEmail(order.customer_email) }),
	compose: (order, { shop, opensOrder }) => ({
		subject: `Commande ${order.order_number} : adresse e-mail corrigée`,
		preheader: "Vous ne recevrez plus de message pour cette commande.",
		title: "L’adresse e-mail a été corrigée",
		blocks: [
			"Bonjour,",
			`L’adresse e-mail de la commande ${order.order_number} a été remplacée par une autre : vous ne recevrez plus de message pour cette commande${opensOrder ? "" : ", et les liens de nos messages précédents ne fonctionnent plus"}. Si vous n’avez pas demandé cette correction, écrivez-nous à ${shop.email}.`,
		],
	}),
});

/** Where the letter of an order goes by now. */
export const letterCorrected = defineOrderEmail({
	name: "letter-corrected",
	to: "customer",
	label: "Adresse de livraison corrigée",
	load: async () => ({}),
	compose: (order, data) => ({
		subject: `${nameInSubject(order)} : adresse de livraison corrigée — commande ${order.order_number}`,
		preheader: `Votre courrier partira à : ${formatLetterAddress(order)}.`,
		title: "L’adresse de livraison est corrigée",
		blocks: [
			greetCustomer(order),
			`Le courrier de votre commande ${order.order_number} partira à l’adresse suivante :`,
			{ descriptionList: [["Destination", formatLetterAddress(order)]] },
			`La date d’envoi promise ne change pas. Si vous n’avez pas demandé cette correction, écrivez-nous à ${data.shop.email}.`,
			linkTracking(data),
		],
	}),
});

/** The order is about another company, as agreed with its customer. */
export const companyChanged = defineOrderEmail({
	name: "company-changed",
	to: "customer",
	label: "Entreprise corrigée",
	load: async () => ({}),
	compose: (order, data) => ({
		subject: `${nameInSubject(order)} : entreprise corrigée — commande ${order.order_number}`,
		preheader: `Nous demandons l’extrait ${nameWithOf(nameInSentence(order))}.`,
		title: "L’entreprise de votre commande est corrigée",
		blocks: [
			greetCustomer(order),
			`Comme convenu avec vous, votre commande porte maintenant sur ${nameInSentence(order)}. Nous demandons son extrait.`,
			{ descriptionList: identifyOrder(order) },
			"Le prix et l’heure promise ne changent pas. Une facture à jour remplace la précédente si elle était déjà émise.",
			`Si ce changement n’est pas celui que vous attendiez, écrivez-nous tout de suite à ${data.shop.email}.`,
			linkTracking(data),
		],
	}),
});
