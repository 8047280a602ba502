import { greetCustomer, identifyOrder, linkTracking, type OrderEmailTemplate } from "./email-parts.ts";

/** Sends the invoice that replaces another, and the credit note that cancels that one. */
export const invoiceCorrected: OrderEmailTemplate = (order, context) => ({
	subject: `Facture corrigée — commande ${order.order_number}`,
	preheader: "Votre nouvelle facture et l’avoir qui annule l’ancienne sont joints.",
	title: "Votre facture est corrigée",
	blocks: [
		greetCustomer(order),
		"Vous avez corrigé votre facture. La nouvelle est jointe à ce message, avec l’avoir qui annule l’ancienne.",
		{ descriptionList: identifyOrder(order) },
		"Le montant est le même : rien n’est débité ni remboursé. Transmettez les deux documents à votre comptable s’il a déjà reçu l’ancienne facture.",
		linkTracking(context),
		`Vous n’avez pas demandé cette correction ? Écrivez-nous à ${context.shop.email}.`,
	],
});
