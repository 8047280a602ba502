import { expect, test } from "vitest";
import { formatLetterAddress, getLetterAddress, isDeliveredElsewhere } from "./letter-address.ts";

const nowhereElse = {
	...{ delivery_name: null, delivery_complement: null, delivery_address: null, delivery_postal_code: null, delivery_city: null },
};
const order = {
	...{ first_name: "Ada", last_name: "Lovelace", billing_company: null, address: "1 rue de la Paix", postal_code: "75002", city: "Paris" },
	...nowhereElse,
};
const elsewhere = { ...order, delivery_address: "4 quai de l’Horloge", delivery_postal_code: "75001", delivery_city: "Paris 1er" };

test("a letter goes to the invoiced customer, if no other address was given", () => {
	expect(isDeliveredElsewhere(order)).toBe(false);
	expect(getLetterAddress(order)).toEqual({
		...{ name: "Ada Lovelace", complement: null, address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
	});
	expect(getLetterAddress({ ...order, billing_company: "ANALYSE SAS" }).name).toBe("ANALYSE SAS, Ada Lovelace");
	expect(formatLetterAddress({ ...order, billing_company: "ANALYSE SAS" })).toBe("1 rue de la Paix, 75002 Paris");
});

test("an order without an address has an empty one", () => {
	const nowhere = { ...order, address: null, postal_code: null, city: null };
	expect(getLetterAddress(nowhere)).toMatchObject({ address: "", postalCode: "", city: "" });
	expect(getLetterAddress({ ...order, delivery_address: "4 quai de l’Horloge" })).toMatchObject({ postalCode: "", city: "" });
});

test("a letter goes to its own address: to its recipient, or else to the customer", () => {
	expect(isDeliveredElsewhere(elsewhere)).toBe(true);
	expect(formatLetterAddress({ ...elsewhere, billing_company: "ANALYSE SAS" })).toBe("Ada Lovelace, 4 quai de l’Horloge, 75001 Paris 1er");
	const recipient = { delivery_name: "Grace Hopper", delivery_complement: "Bâtiment B" };
	expect(formatLetterAddress({ ...elsewhere, ...recipient })).toBe("Grace Hopper, Bâtiment B, 4 quai de l’Horloge, 75001 Paris 1er");
	expect(formatLetterAddress({ ...order, ...recipient })).toBe("Grace Hopper, Bâtiment B, 1 rue de la Paix, 75002 Paris");
	expect(isDeliveredElsewhere({ ...order, delivery_complement: "Bâtiment B" })).toBe(true);
});
