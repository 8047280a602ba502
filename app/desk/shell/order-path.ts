import { href } from "react-router";
import type { Role } from "../operators/roles.ts";

/** The page of an order that an operator may open: the order, or its money. Null: none. */
export const getOrderPath = (number: string, roles: ReadonlySet<Role>): string | null => {
	if (roles.has("serve")) return href("/bureau/commandes/:number", { number });
	return roles.has("refund") ? href("/bureau/argent/:number", { number }) : null;
};
