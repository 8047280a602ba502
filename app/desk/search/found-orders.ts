import { href } from "react-router";
import type { ServiceCode } from "../../catalogue/services.ts";
import type { Role } from "../../operators/roles.ts";
import type { OrderStatus } from "../../orders/lifecycle.ts";
import type { Unsent } from "../shell/keep-page.ts";

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
	customer: string;
	/** ISO 8601. */
	createdAt: string;
}

/** The page of a found order that an operator may open: the order, or its money. */
export const getOrderPath = (number: string, roles: ReadonlySet<Role>): string | null => {
	if (roles.has("serve")) return href("/bureau/commandes/:number", { number });
	return roles.has("refund") ? href("/bureau/argent/:number", { number }) : null;
};

/** The answer of the search to one form. */
export type SearchAnswer = { typed: string } & (
	| { state: "too-short" }
	| { state: "unsent"; unsent: Unsent }
	| { state: "found"; rows: FoundRow[]; more: boolean }
);
