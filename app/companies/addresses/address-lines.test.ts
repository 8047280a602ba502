import { expect, test } from "vitest";
import { formatAddress, formatAddressLines } from "./address-lines.ts";

const address = { street: "4 quai de l’Horloge", postalCode: "75001", city: "Paris" };

test("an address has a line for each part that is known, and its place on one line", () => {
	expect(formatAddressLines({ ...address, name: "Grace Hopper", complement: "Bâtiment B" })).toEqual([
		...["Grace Hopper", "Bâtiment B", "4 quai de l’Horloge", "75001 Paris"],
	]);
	expect(formatAddress({ ...address, name: null, complement: "" })).toBe("4 quai de l’Horloge, 75001 Paris");
	expect([formatAddress({ city: "Paris" }), formatAddress({ postalCode: "75001", city: "" }), formatAddress({})]).toEqual([
		"Paris",
		"75001",
		"",
	]);
});
