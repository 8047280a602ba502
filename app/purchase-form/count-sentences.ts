import type { PurchaseTotals } from "./totals.ts";

/** Which extracts the total is without; empty when it is with all. */
export const describeWithoutService = ({ withoutService }: PurchaseTotals): string =>
	withoutService > 1
		? `${formatCount(withoutService)} ne sont pas comptés\u00a0: choisissez leur service.`
		: withoutService === 1
			? "Un extrait n’est pas compté\u00a0: choisissez son service."
			: "";

/** « 40 extraits », « 1 extrait » */
export const formatCount = (count: number): string => `${count}\u00a0extrait${count > 1 ? "s" : ""}`;
