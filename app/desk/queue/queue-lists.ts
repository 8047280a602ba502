import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";

/** The tabs of the queue, in their order. The key stands in the URL: `?liste=express`. */
export const queueLists = {
	"a-servir": { label: "À servir", services: serviceCodes },
	express: { label: "Express", services: ["express"] },
	standard: { label: "Standard", services: ["standard"] },
	courrier: { label: "Courrier", services: ["postal"] },
	"a-poster": { label: "À poster", services: null },
	"en-attente": { label: "En attente d’une personne", services: null },
} as const satisfies Record<string, { label: string; services: readonly ServiceCode[] | null }>;

/** Why an order waits for a person. */
export type WaitingReason =
	| "refund-request"
	| "mismatch"
	| "bounce"
	| "refund-returned"
	| "refund-held"
	| "approval"
	| "dispute"
	| "refunded";

export const waitingLabels: Record<WaitingReason, string> = {
	"refund-request": "Le client demande un remboursement",
	mismatch: "Paiement à vérifier",
	bounce: "E-mail refusé",
	"refund-returned": "Remboursement revenu ou refusé",
	"refund-held": "Remboursement retenu par le frein",
	approval: "Une deuxième personne doit approuver",
	dispute: "Paiement contesté",
	refunded: "Remboursée en entier, et encore ouverte",
};
