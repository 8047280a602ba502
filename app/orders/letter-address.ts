import { formatAddress } from "../companies/addresses/address-lines.ts";
import { tokenize } from "../companies/search/tokens.ts";
import type { Order } from "./order.ts";

type AddressedOrder = Pick<
	Order,
	| "first_name"
	| "last_name"
	| "billing_company"
	| "address"
	| "postal_code"
	| "city"
	| "delivery_name"
	| "delivery_complement"
	| "delivery_address"
	| "delivery_postal_code"
	| "delivery_city"
>;

/** The recipient and the address of a letter. */
export interface LetterAddress {
	name: string;
	complement: string | null;
	address: string;
	postalCode: string;
	city: string;
}

/** Whether the letter of an order goes to another recipient or address than its invoice. */
export const isDeliveredElsewhere = (order: AddressedOrder): boolean =>
	[order.delivery_name, order.delivery_complement, order.delivery_address].some((text) => text !== null);

/** Returns where the letter of an order goes: to its own address and recipient, or to those of the invoice. */
export function getLetterAddress(order: AddressedOrder): LetterAddress {
	const person = `${order.first_name} ${order.last_name}`;
	const given = order.delivery_address !== null;
	// the invoiced company is known at its own address only
	const customer = order.billing_company && !given ? `${order.billing_company}, ${person}` : person;
	return {
		name: order.delivery_name ?? customer,
		complement: order.delivery_complement,
		address: (given ? order.delivery_address : order.address) ?? "",
		postalCode: (given ? order.delivery_postal_code : order.postal_code) ?? "",
		city: (given ? order.delivery_city : order.city) ?? "",
	};
}

const titles: readonly string[] = "m mr mme mlle monsieur madame mademoiselle me maitre dr docteur".split(" ");

/** The words of a name without titles, in one order: « Mme Lovelace Ada » is « Ada Lovelace ». */
const toNameKey = (name: string): string =>
	tokenize(name)
		.filter((word) => !titles.includes(word))
		.toSorted()
		.join(" ");

/**
 * Whether the addressee of a letter is its customer: the person, the invoiced company, or both as `getLetterAddress` writes them. A name that
 * has other words too is somebody else's (docs/rules.md, R251). @param company empty without one.
 */
export function isNameOfCustomer(addressee: string, { person, company }: { person: string; company: string }): boolean {
	const key = toNameKey(addressee);
	return key !== "" && [person, company, `${company} ${person}`].some((name) => toNameKey(name) === key);
}

/** « Grace Hopper, Bâtiment B, 4 quai de l’Horloge, 75001 Paris »; without a name where the letter goes to the invoiced customer. */
export function formatLetterAddress(order: AddressedOrder): string {
	const { name, address, ...parts } = getLetterAddress(order);
	return formatAddress({ ...parts, street: address, name: isDeliveredElsewhere(order) ? name : null });
}
