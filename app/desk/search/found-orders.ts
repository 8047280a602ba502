import type { ServiceCode } from "../../catalogue/services.ts";
import type { OrderStatus } from "../../orders/lifecycle.ts";

/** A found order, for the page. */
export interface FoundRow {
	id: string;
	number: string;
	/** The page that the operator may open; null: none. */
	path: string | null;
	service: ServiceCode;
	status: OrderStatus;
	isCancelled: boolean;
	company: string;
	siren: string;
	reference: string | null;
	/** « ligne 3 sur 40 de la commande groupée KB-… »; null for an order that was bought alone. */
	purchase: string | null;
	customer: string;
	/** ISO 8601. */
	createdAt: string;
}

/** The answer of the search to one form. */
export type SearchAnswer = { typed: string } & (
	| { state: "too-short" }
	| { state: "unsent"; sentence: string }
	| { state: "found"; rows: FoundRow[]; more: boolean }
);
