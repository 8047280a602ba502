import { guaranteePeriod, replyTime } from "../catalogue/after-sale.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { hasDesk } from "../catalogue/settings/has-desk.store.server.ts";
import type { EmailBlock, EmailContent } from "../mail/email.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import { hasSamePromise, type Order } from "../orders/order.ts";
import { listOrdersOfPurchase } from "../orders/orders.store.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { defineOrderEmail, type SharedEmailData } from "./define-order-email.server.ts";
import { findMailRefund } from "./load-parts.server.ts";

// E-mails to the operator: the order and the next step, without the customer's data.

interface AlertText {
	/** The subject, after the order's number. */
	title: string;
	what: string;
	todo: string;
}

/**
 * An alert about all lines of a purchase that its cause concerns. Its order is the first of them.
 * @param isConcerned whether the cause concerns a line too, beside the order of the e-mail.
 */
const alertAboutLines = <const Name extends string>(
	name: Name,
	{ formerName, one, several }: { formerName: string; one: AlertText; several: AlertText },
	isConcerned: (line: Order, order: Order) => boolean,
) =>
	defineOrderEmail({
		name,
		formerNames: [formerName],
		to: "operator",
		label: labelAlert(one.title),
		async load(context, { order }) {
			const orders: readonly Order[] = await listOrdersOfPurchase(context.db, order.purchase_id);
			return { ...(await loadDeskOrder(context, order)), orders };
		},
		compose: (order, data) => composeAlert(order, data, data.orders.filter((line) => isConcerned(line, order)).length > 1 ? several : one),
	});

const alert = <const Name extends string>(name: Name, text: AlertText) =>
	defineOrderEmail({
		name,
		to: "operator",
		label: labelAlert(text.title),
		load: (context, { order }) => loadDeskOrder(context, order),
		compose: (order, data) => composeAlert(order, data, text),
	});

/** « Alerte à la boutique : délai dépassé » */
function labelAlert(title: string): string {
	return `Alerte à la boutique\u00a0: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

interface DeskOrder {
	/** The order at the desk. */
	deskOrderUrl: string;
	/** False until somebody was invited: the page is not found. */
	isDeskOpen: boolean;
}

async function loadDeskOrder({ db, environment }: StorageContext, { order_number }: Order): Promise<DeskOrder> {
	return { deskOrderUrl: `${absoluteUrl(environment.deskUrl, "/bureau/commandes")}/${order_number}`, isDeskOpen: await hasDesk(db) };
}

const invitation: readonly EmailBlock[] = [
	"Personne n’a encore accès au bureau. Invitez d’abord quelqu’un, sur le serveur :",
	{ command: 'npm run desk -- invite <e-mail> --name "Prénom Nom" --roles manager' },
];

function composeAlert(
	order: Order,
	{ happenedAt, deskOrderUrl, isDeskOpen }: SharedEmailData & DeskOrder,
	{ title, what, todo }: AlertText,
): EmailContent {
	return {
		subject: `[${order.order_number}] ${title}`,
		preheader: what,
		title,
		blocks: [
			what,
			{
				descriptionList: [
					["Commande", order.order_number],
					["Société", order.company_name],
					["SIREN", order.siren],
					["Service", services[order.product_code].name],
					...(order.promised_at ? ([["Promis pour", formatInstant(order.promised_at)]] as const) : []),
					["Constaté le", formatInstant(happenedAt)],
				],
			},
			todo,
			{ action: "Ouvrir la commande", url: deskOrderUrl },
			...(isDeskOpen ? [] : invitation),
		],
	};
}

/** Once for all lines of a purchase that miss one deadline. */
export const lateAlert = alertAboutLines(
	"alert-late",
	{
		formerName: "alert-lines-late",
		one: {
			title: "Délai dépassé",
			what: "Cette commande n’a été ni livrée ni postée à l’heure promise. Le client est prévenu ; une commande express est remboursée automatiquement.",
			todo: "Le document doit encore être livré. La commande :",
		},
		several: {
			title: "Délai dépassé pour une commande groupée",
			what: "Des commandes payées ensemble n’ont été ni livrées ni postées à l’heure promise. Le client est prévenu ; les commandes express sont remboursées automatiquement.",
			todo: "Les documents doivent encore être livrés. La page de cette commande liste les autres :",
		},
	},
	hasSamePromise,
);

export const setAsideAlert = alert("alert-set-aside", {
	title: "Paiement à vérifier",
	what: "Le paiement reçu ne correspond pas à la commande (montant, devise, mode ou référence). La commande est mise de côté : elle n’est ni traitée ni remboursée.",
	todo: "Comparez avec les pages du prestataire de paiement, puis décidez :",
});

export const surplusAlert = alert("alert-surplus", {
	title: "Paiement en trop",
	what: "Un paiement est arrivé alors que la commande n’en attendait aucun. Il est remboursé automatiquement, et le client en sera prévenu.",
	todo: "Vérifiez que le remboursement aboutit :",
});

export const disputeAlert = alert("alert-dispute", {
	title: "Paiement contesté",
	what: "Le client conteste ce paiement auprès de sa banque. Les téléchargements et les remboursements automatiques de cette commande sont suspendus.",
	todo: "Répondez sur les pages du prestataire de paiement, avant l’échéance qu’il indique. Les pièces de la commande :",
});

export const disputeLostAlert = alert("alert-dispute-lost", {
	title: "Contestation perdue",
	what: "La banque a rendu la somme au client, et peut facturer des frais. Les téléchargements de cette commande restent suspendus, et il n’y a plus rien à rembourser.",
	todo: "La commande et son paiement :",
});

export const refundFailedAlert = alert("alert-refund-failed", {
	title: "Remboursement échoué",
	what: "Le prestataire de paiement n’a pas pu rendre l’argent, ou l’a refusé. Le client l’attend. Quand toute la somme lui est due (commande annulée ou en échec, par exemple), un remboursement qui avait un autre motif est redemandé automatiquement, une fois.",
	todo: "Lisez ce qui a été tenté, puis recommencez ou remboursez autrement :",
});

const refundGuessed = "Remboursement à rapprocher";

/** Once for each refund, at the order that it counts for first. */
export const refundGuessedAlert = defineOrderEmail({
	name: "alert-refund-guessed",
	to: "operator",
	label: labelAlert(refundGuessed),
	async load(context, { mail, order }) {
		const refund = await findMailRefund(context.db, mail);
		return refund && { ...(await loadDeskOrder(context, order)), refund };
	},
	compose: (order, data) =>
		composeAlert(order, data, {
			title: refundGuessed,
			what: `Un remboursement fait sur les pages du prestataire de paiement ne dit pas quelle ligne de la commande groupée il concerne, et plusieurs convenaient. Il est imputé d’abord à la ligne ${order.purchase_line}, ci-dessous (${formatEuros(data.refund.amount)}), puis aux suivantes s’il la dépasse. L’avoir et l’e-mail au client portent sur cette ligne.`,
			todo: "Si une autre ligne était visée, notez-le dans les deux commandes, ne la remboursez pas une seconde fois et prévenez le client. À l’avenir, remboursez une ligne depuis le bureau. La commande :",
		}),
});

/** Once for each purchase. */
export const refundUnknownAlert = alert("alert-refund-unknown", {
	title: "Remboursement inconnu",
	what: "Le prestataire de paiement a un remboursement demandé par la boutique pour une ligne de cette commande groupée, mais la base de données ne l’a pas, comme après une restauration. Il n’est imputé à aucune ligne.",
	todo: "Recréez les commandes depuis leurs copies, sur le serveur (npm run orders -- recreate) : le remboursement retrouve sa ligne. Ne remboursez rien avant. La première commande :",
});

/** Once for each refund. */
export const refundExceedsAlert = alert("alert-refund-exceeds", {
	title: "Remboursement au-delà du prix",
	what: "Un remboursement fait sur les pages du prestataire de paiement a pris une part du prix de cette ligne alors que celui de la boutique, du prix entier, partait déjà. Le client a reçu pour elle plus que son prix ; autant manque aux autres lignes de la commande groupée.",
	todo: "Vérifiez les remboursements des autres lignes : la boutique leur rend ce qui reste du paiement. La commande :",
});

export const bounceAlert = alert("alert-bounce", {
	title: "E-mail refusé",
	what: "Un e-mail de cette commande a été refusé définitivement par le serveur du destinataire.",
	todo: "Le motif est dans l’historique. Joignez le client autrement, ou corrigez l’adresse :",
});

export const documentLostAlert = alert("alert-document-lost", {
	title: "Document introuvable",
	what: "Le fichier d’un document de cette commande est introuvable ou altéré. Le client qui l’ouvre voit que nous sommes prévenus.",
	todo: "Un extrait perdu : déposez de nouveau son fichier sur la page de la commande, ou remplacez-le par un nouveau. Une facture ou un avoir : restaurez le fichier depuis la sauvegarde. Les documents de la commande :",
});

export const refundRequestAlert = alert("alert-refund-request", {
	title: "Demande de remboursement à traiter",
	what: `Le client signale un extrait erroné ou inutilisable (garantie de ${guaranteePeriod}). Une réponse lui est promise sous ${replyTime}.`,
	todo: "Lisez sa demande, vérifiez le document, puis accordez ou refusez :",
});

export const refundsHeldAlert = alert("alert-refunds-held", {
	title: "Remboursements retenus",
	what: "Des commandes express sont en retard, et le frein des remboursements est atteint : les remboursements suivants attendent votre décision, 24 heures au plus, puis ils partent d’eux-mêmes. Les clients savent que la somme leur est due.",
	todo: "La première commande concernée :",
});

/** Once for all lines of a purchase. */
export const extractNeededAlert = alertAboutLines(
	"alert-extract-needed",
	{
		formerName: "alert-extracts-needed",
		one: {
			title: "Extrait à obtenir",
			what: "Une commande payée attend son extrait.",
			todo: "Obtenez-le auprès du greffe, puis déposez-le :",
		},
		several: {
			title: "Extraits à obtenir pour une commande groupée",
			what: "Des commandes payées ensemble attendent chacune leur extrait.",
			todo: "Obtenez-les auprès du greffe, puis déposez-les. La page de cette commande liste les autres :",
		},
	},
	() => true,
);

export const invoicesStoppedAlert = alert("alert-invoices-stopped", {
	title: "Factures arrêtées",
	what: "Le prochain numéro de facture ou d’avoir a déjà été attribué : la base de données est plus ancienne que les factures déjà envoyées, comme après une restauration. Plus aucune facture n’est établie, et les confirmations attendent.",
	todo: "Recréez d’abord les commandes perdues, sur le serveur (npm run orders -- recreate --all). S’il reste des numéros sans commande, faites avancer la série (npm run orders -- move-invoices). La commande qui attend sa facture :",
});
