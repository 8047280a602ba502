import type { OrderNumber } from "./order-number.server.ts";

/** What one order, or several, were bought as. */
export interface Purchase {
	/** The number of its first order, which names it. */
	number: OrderNumber;
	/** How many orders it has. */
	lines: number;
}

/** « ligne 3 sur 40 de la commande groupée KB-… »; null for an order that was bought alone. */
export const formatPlace = (purchase: Purchase | undefined, { purchase_line }: { purchase_line: number }): string | null =>
	purchase === undefined || purchase.lines === 1
		? null
		: `ligne ${purchase_line} sur ${purchase.lines} de la commande groupée ${purchase.number}`;
