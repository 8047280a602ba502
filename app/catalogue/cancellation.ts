/**
 * Until when a customer may cancel, as tracking/cancel-order.server.ts keeps it: an extract sent by e-mail until it is ready on
 * the tracking page, a letter until it is posted. Follows « Vous pouvez annuler ».
 */
export const cancellableWhile = {
	email: "tant que l’extrait n’est pas prêt",
	postal: "tant que le courrier n’est pas posté",
	/** Where the service is not known. */
	any: "tant que l’extrait n’est pas prêt (par e-mail) ou posté (par courrier)",
} as const;
