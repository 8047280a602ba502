import type { OrderEmailTemplate } from "./email-parts.ts";

/** Tells the previous address that it gets nothing more. It may be a stranger's: without name, company and link. */
export const addressCorrected: OrderEmailTemplate = (order, { shop }) => ({
	subject: `Commande ${order.order_number} : adresse e-mail corrigée`,
	preheader: "Vous ne recevrez plus de message pour cette commande.",
	title: "L’adresse e-mail a été corrigée",
	blocks: [
		"Bonjour,",
		`L’adresse e-mail de la commande ${order.order_number} a été remplacée par une autre : vous ne recevrez plus de message pour cette commande, et les liens de nos messages précédents ne fonctionnent plus. Si vous n’avez pas demandé cette correction, écrivez-nous à ${shop.email}.`,
	],
});
