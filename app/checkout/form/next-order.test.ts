import { expect, test } from "vitest";
import type { Order } from "../../orders/order.ts";
import { toNextOrder } from "./next-order.server.ts";
import { orderFields } from "./order-form.ts";

const person = { customer_email: "ada@example.fr", first_name: "Ada", last_name: "Lovelace", phone: null };
const nowhere = { delivery_name: null, delivery_complement: null, delivery_address: null, delivery_postal_code: null, delivery_city: null };
const unbilled = { billing_company: null, billing_siren: null, billing_vat: null, address: null, postal_code: null, city: null };
const place = { address: "1 rue de la Paix", postal_code: "75002", city: "Paris" };
const order = { ...person, ...nowhere, ...unbilled, siren: "552032534", product_code: "express" } as Order;
const own = { ...order, ...place, billing_company: "DANONE", billing_siren: "552032534", billing_vat: "FR27552032534" } as Order;
const other = { ...own, billing_siren: "356000000", billing_vat: "FR39356000000" } as Order;

test("the next form has customer, service and letter, and neither the company, the second recipient nor a ticked box", () => {
	const letter = {
		...{ product_code: "postal", phone: "0612345678", delivery_email: "grace@example.fr", accept_terms: true },
		...{ delivery_name: "Greffe", delivery_complement: "Bureau 12", delivery_address: "1 quai de la Corse" },
		...{ delivery_postal_code: "75004", delivery_city: "Paris" },
	};
	const filledIn = Object.entries(toNextOrder({ ...order, ...letter } as Order)).filter(([, text]) => text !== "");
	expect(Object.fromEntries(filledIn)).toEqual({
		...{ service: "postal", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", phone: "0612345678" },
		...{ deliveryName: "Greffe", deliveryComplement: "Bureau 12", deliveryAddress: "1 quai de la Corse" },
		...{ deliveryPostalCode: "75004", deliveryCity: "Paris" },
	});
});

test.each<[string, Order, string, string]>([
	["of a customer without an address is asked", order, "", ""],
	["stays the company ordered", own, "other", "FR27552032534"],
	["stays another company", other, "other", "FR39356000000"],
])("who is invoiced %s", (_, placed, billTo, billingVat) => {
	const values = toNextOrder(placed);
	expect([values.billTo, values.billingVat, values.billingSiren]).toEqual([billTo, billingVat, placed.billing_siren ?? ""]);
	expect(Object.keys(values).sort()).toEqual([...orderFields].sort());
	expect(Object.values(values).every((text) => typeof text === "string")).toBe(true);
});
