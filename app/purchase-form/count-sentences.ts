import type { PurchaseTotals } from "./totals.ts";

/** Which extracts the total is without; empty when it is with all. */
export const describeWithoutService = ({ withoutService }: PurchaseTotals): string =>
	withoutService > 0 ? `Sans ${formatCount(withoutService)} dont le service est à choisir.` : "";

/** « 40 extraits », « 1 extrait » */
export const formatCount = (count: number): string => `${count}\u00a0extrait${count > 1 ? "s" : ""}`;
