import { expect, test } from "vitest";
import { getOrderPath } from "../shell/order-path.ts";
import { readReturnPath } from "./return-path.ts";

test.each([
	[null, "/bureau"],
	["/bureau", "/bureau"],
	["/bureau/commandes/KB-2222-2222", "/bureau/commandes/KB-2222-2222"],
	["/bureau/connexion", "/bureau"],
	["/bureau/invitation/x", "/bureau"],
	["/bureaux", "/bureau"],
	["/bureau/commandes?liste=express", "/bureau"],
	["//exemple.fr/bureau", "/bureau"],
	["https://exemple.fr/bureau", "/bureau"],
	["/x/bureau/connexion", "/bureau"],
])("after the sign-in, %s leads to %s", (asked, path) => {
	expect(readReturnPath(asked)).toBe(path);
});

test("who serves is led to an order, who refunds alone to its money, and others nowhere", () => {
	expect(getOrderPath("KB-2222-2222", new Set(["serve", "refund"]))).toBe("/bureau/commandes/KB-2222-2222");
	expect(getOrderPath("KB-2222-2222", new Set(["refund"]))).toBe("/bureau/argent/KB-2222-2222");
	expect(getOrderPath("KB-2222-2222", new Set(["privacy"]))).toBeNull();
});
