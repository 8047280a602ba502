/** Why an operator refunds. Kept inside the shop; the customer reads the reason of refund-reason-labels.ts. */
export const operatorCauses = {
	"wrong-extract": "Extrait erroné ou inutilisable",
	"wrong-company": "Mauvaise société choisie par le client",
	late: "Retard, geste commercial",
	duplicate: "Commande ou paiement en double",
	"not-available": "Document impossible à obtenir",
	"customer-asked": "Demande du client, geste commercial",
	mismatch: "Paiement qui ne correspond pas à la commande",
	other: "Autre, précisé dans la note",
} as const;

export type OperatorCause = keyof typeof operatorCauses;
