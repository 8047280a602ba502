import { guaranteePeriod } from "../catalogue/guarantee.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { replyTime } from "../catalogue/reply-time.ts";
import { services } from "../catalogue/services.ts";
import type { Order } from "../orders/order.ts";
import type { OrderEmailTemplate } from "./email-parts.ts";

interface Alert {
	/** The subject, after the order's number. */
	title: string;
	what: string;
	todo: string;
}

/** An e-mail to the operator: the order and the next step, without the customer's data. It opens the order in the desk, if there is one. */
function alert({ title, what, todo }: Alert): OrderEmailTemplate {
	return (order, { happenedAt, deskOrderUrl }) => ({
		subject: `[${order.order_number}] ${title}`,
		preheader: what,
		title,
		blocks: [
			what,
			{ descriptionList: [...listOrderDetails(order), ["Constaté le", formatInstant(happenedAt)]] },
			todo,
			deskOrderUrl ? { action: "Ouvrir la commande", url: deskOrderUrl } : { command: `npm run orders -- show ${order.order_number}` },
		],
	});
}

const listOrderDetails = (order: Order) =>
	[
		["Commande", order.order_number],
		["Société", order.company_name],
		["SIREN", order.siren],
		["Service", services[order.product_code].name],
		...(order.promised_at ? ([["Promis pour", formatInstant(order.promised_at)]] as const) : []),
	] as const;

export const operatorAlerts = {
	"alert-late": alert({
		title: "Délai dépassé",
		what: "Cette commande n’a été ni livrée ni postée à l’heure promise. Le client est prévenu ; une commande express est remboursée automatiquement.",
		todo: "Le document doit encore être livré. La commande :",
	}),
	/** Once for all orders of a purchase that miss one deadline. */
	"alert-lines-late": alert({
		title: "Délai dépassé pour une commande groupée",
		what: "Des commandes payées ensemble n’ont été ni livrées ni postées à l’heure promise. Le client est prévenu ; les commandes express sont remboursées automatiquement.",
		todo: "Les documents doivent encore être livrés. La page de cette commande liste les autres :",
	}),
	"alert-set-aside": alert({
		title: "Paiement à vérifier",
		what: "Le paiement reçu ne correspond pas à la commande (montant, devise, mode ou référence). La commande est mise de côté : elle n’est ni traitée ni remboursée.",
		todo: "Comparez avec les pages du prestataire de paiement, puis décidez :",
	}),
	"alert-surplus": alert({
		title: "Paiement en trop",
		what: "Un paiement est arrivé alors que la commande n’en attendait aucun. Il est remboursé automatiquement, et le client en sera prévenu.",
		todo: "Vérifiez que le remboursement aboutit :",
	}),
	"alert-dispute": alert({
		title: "Paiement contesté",
		what: "Le client conteste ce paiement auprès de sa banque. Les téléchargements et les remboursements automatiques de cette commande sont suspendus.",
		todo: "Répondez sur les pages du prestataire de paiement, avant l’échéance qu’il indique. Les pièces de la commande :",
	}),
	"alert-dispute-lost": alert({
		title: "Contestation perdue",
		what: "La banque a rendu la somme au client, et peut facturer des frais. Les téléchargements de cette commande restent suspendus, et il n’y a plus rien à rembourser.",
		todo: "La commande et son paiement :",
	}),
	"alert-refund-failed": alert({
		title: "Remboursement échoué",
		what: "Le prestataire de paiement n’a pas pu rendre l’argent, ou l’a refusé. Le client l’attend. Quand toute la somme lui est due (commande annulée ou en échec, par exemple), un remboursement qui avait un autre motif est redemandé automatiquement, une fois.",
		todo: "Lisez ce qui a été tenté, puis recommencez ou remboursez autrement :",
	}),
	/** Once for each refund, at the order that it counts for first. */
	"alert-refund-guessed": (order, context) =>
		alert({
			title: "Remboursement à rapprocher",
			what: `Un remboursement fait sur les pages du prestataire de paiement ne dit pas quelle ligne de la commande groupée il concerne, et plusieurs convenaient. Il est imputé d’abord à la ligne ${order.purchase_line}, ci-dessous${context.refund ? ` (${formatEuros(context.refund.amount)})` : ""}, puis aux suivantes s’il la dépasse. L’avoir et l’e-mail au client portent sur cette ligne.`,
			todo: "Si une autre ligne était visée, notez-le dans les deux commandes, ne la remboursez pas une seconde fois et prévenez le client. À l’avenir, remboursez une ligne depuis le bureau. La commande :",
		})(order, context),
	/** Once for each purchase. */
	"alert-refund-unknown": alert({
		title: "Remboursement inconnu",
		what: "Le prestataire de paiement a un remboursement demandé par la boutique pour une ligne de cette commande groupée, mais la base de données ne l’a pas, comme après une restauration. Il n’est imputé à aucune ligne.",
		todo: "Recréez les commandes depuis leurs copies (orders recreate) : le remboursement retrouve sa ligne. Ne remboursez rien avant. La première commande :",
	}),
	/** Once for each refund. */
	"alert-refund-exceeds": alert({
		title: "Remboursement au-delà du prix",
		what: "Un remboursement fait sur les pages du prestataire de paiement a pris une part du prix de cette ligne alors que celui de la boutique, du prix entier, partait déjà. Le client a reçu pour elle plus que son prix ; autant manque aux autres lignes de la commande groupée.",
		todo: "Vérifiez les remboursements des autres lignes : la boutique leur rend ce qui reste du paiement. La commande :",
	}),
	"alert-bounce": alert({
		title: "E-mail refusé",
		what: "Un e-mail de cette commande a été refusé définitivement par le serveur du destinataire.",
		todo: "Le motif est dans l’historique. Joignez le client autrement, ou corrigez l’adresse :",
	}),
	"alert-document-lost": alert({
		title: "Document introuvable",
		what: "Le fichier d’un document de cette commande est introuvable ou altéré. Le client qui l’ouvre voit que nous sommes prévenus.",
		todo: "Pour un extrait perdu : replace-extract. Une facture ou un avoir : restaurez le fichier depuis la sauvegarde. Les documents de la commande :",
	}),
	"alert-refund-request": alert({
		title: "Demande de remboursement à traiter",
		what: `Le client signale un extrait erroné ou inutilisable (garantie de ${guaranteePeriod}). Une réponse lui est promise sous ${replyTime}.`,
		todo: "Lisez sa demande, vérifiez le document, puis accordez ou refusez :",
	}),
	"alert-refunds-held": alert({
		title: "Remboursements retenus",
		what: "Des commandes express sont en retard, et le frein des remboursements est atteint : les remboursements suivants attendent votre décision, 24 heures au plus, puis ils partent d’eux-mêmes. Les clients savent que la somme leur est due.",
		todo: "La première commande concernée :",
	}),
	"alert-extract-needed": alert({
		title: "Extrait à obtenir",
		what: "Une commande payée attend son extrait.",
		todo: "Obtenez-le auprès du greffe, puis déposez-le :",
	}),
	/** Once for all orders of a purchase. */
	"alert-extracts-needed": alert({
		title: "Extraits à obtenir pour une commande groupée",
		what: "Des commandes payées ensemble attendent chacune leur extrait.",
		todo: "Obtenez-les auprès du greffe, puis déposez-les. La page de cette commande liste les autres :",
	}),
	"alert-invoices-stopped": alert({
		title: "Factures arrêtées",
		what: "Le prochain numéro de facture ou d’avoir a déjà été attribué : la base de données est plus ancienne que les factures déjà envoyées, comme après une restauration. Plus aucune facture n’est établie, et les confirmations attendent.",
		todo: "Recréez d’abord les commandes perdues (orders recreate --all). S’il reste des numéros sans commande, faites avancer la série (orders move-invoices). La commande qui attend sa facture :",
	}),
} as const satisfies Record<`alert-${string}`, OrderEmailTemplate>;
