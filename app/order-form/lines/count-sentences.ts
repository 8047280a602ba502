import { formatExtractCount } from "../../orders/order.ts";
import type { PurchaseTotals } from "./totals.ts";

/** Which extracts the total is without; empty when it is with all. */
export const describeWithoutService = ({ withoutService }: PurchaseTotals): string =>
	withoutService > 1
		? `${formatExtractCount(withoutService)} ne sont pas comptés\u00a0: choisissez leur service.`
		: withoutService === 1
			? "Un extrait n’est pas compté\u00a0: choisissez son service."
			: "";
