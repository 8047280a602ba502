/**
 * The end of the period in which a customer may cancel, enforced by tracking/cancel-order.server.ts.
 * Each text follows « Vous pouvez annuler ».
 */
export const cancellableWhile = {
	email: "tant que l’extrait n’est pas prêt",
	postal: "tant que le courrier n’est pas posté",
	/** For pages that do not know the service. */
	any: "tant que l’extrait n’est pas prêt (par e-mail) ou posté (par courrier)",
} as const;

/** The instant from which nobody may cancel any more, when a customer who asked for immediate execution loses the right to withdraw (docs/rules.md, R220). */
export const executedWhen = {
	email: "dès que l’extrait est prêt",
	postal: "dès que le courrier est posté",
	/** For texts that do not know the service. */
	any: "dès que l’extrait est prêt (par e-mail) ou posté (par courrier)",
} as const;
