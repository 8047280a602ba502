import { type Cents, formatEuros } from "../../catalogue/money.ts";
import { formatMonthTitle, parseMonth } from "../month.ts";

/** What the checks of a month find. The month is not closed while a blocking one is left. */
export interface Finding {
	code: keyof typeof findings;
	/** An order number, an invoice number, or the provider's id. */
	subject: string;
	/** The difference, or the amount concerned. */
	amount: Cents | null;
}

/** Each finding: whether it blocks the closing, and what the accountant reads. */
const findings = {
	"not-invoiced": {
		blocks: true,
		text: "Commande payée sans facture. La facture est émise par une tâche\u00a0: regardez le journal des erreurs.",
	},
	"invoice-amount": { blocks: true, text: "Le montant encaissé n’est pas celui de la facture." },
	"not-credited": { blocks: true, text: "Remboursement sans avoir, ou avoir trop faible." },
	"not-booked": { blocks: true, text: "Pièce absente du journal, ou avec un autre montant." },
	"vat-differs": { blocks: true, text: "La TVA déclarée n’est pas celle des factures et des avoirs." },
	"vat-not-explained": { blocks: true, text: "La TVA du compte et la TVA déclarée diffèrent sans qu’une facture l’explique." },
	"without-pdf": { blocks: true, text: "Facture ou avoir dont le PDF n’est pas encore enregistré." },
	"provider-unread": { blocks: true, text: "Le solde chez le prestataire n’est pas lu jusqu’à la fin du mois." },
	"unknown-there": { blocks: true, text: "Paiement absent du solde du prestataire." },
	"unknown-here": {
		blocks: true,
		text: "Mouvement du prestataire sans paiement ni remboursement ici. Comparez\u00a0: npm run orders -- reconcile. Après trois jours, il passe en compte d’attente.",
	},
	"movement-amount": { blocks: true, text: "Le prestataire a un autre montant." },
	"payout-sum": { blocks: true, text: "Le virement n’est pas la somme de ses mouvements." },
	"unknown-booked": { blocks: false, text: "Mouvement sans paiement ni remboursement ici, comptabilisé en compte d’attente." },
	"other-movement": { blocks: false, text: "Mouvement d’une autre nature chez le prestataire, comptabilisé en compte d’attente." },
	"payout-not-itemised": {
		blocks: false,
		text: "Virement demandé à la main\u00a0: le prestataire ne dit pas quels mouvements il contient.",
	},
	"payout-returned": { blocks: false, text: "Virement revenu de la banque." },
	"over-credited": {
		blocks: false,
		text: "Les avoirs dépassent les remboursements\u00a0: un remboursement est revenu de la banque, et la somme reste due au client.",
	},
	"lost-dispute": {
		blocks: false,
		text: "Contestation perdue\u00a0: la TVA reste déclarée. Sa récupération se décide avec l’expert-comptable (CGI, art. 272, 1).",
	},
	"on-suspense": {
		blocks: false,
		text: "Somme en compte d’attente à la fin du mois\u00a0: paiement en double ou à vérifier, ou mouvement sans commande.",
	},
	"other-currency": { blocks: false, text: "Paiement dans une autre devise que l’euro\u00a0: il n’est pas comptabilisé." },
	"late-fact": { blocks: false, text: "Pièce d’un mois déjà clôturé, comptabilisée au premier jour de ce mois." },
} as const satisfies Record<string, { blocks: boolean; text: string }>;

export const isBlocking = ({ code }: Pick<Finding, "code">): boolean => findings[code].blocks;

/** « KB-7F3K-92QD (12,00 €) : remboursement sans avoir… », « Novembre 2026 : le solde… » */
export function formatFinding({ code, subject, amount }: Finding): string {
	const month = parseMonth(subject);
	const { text } = findings[code];
	const about = month === null ? subject : formatMonthTitle(month);
	return `${about}${amount === null ? "" : ` (${formatEuros(amount)})`}\u00a0: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
