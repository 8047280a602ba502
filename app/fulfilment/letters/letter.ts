import { getLetterAddress, isNameOfCustomer, type LetterAddress } from "../../orders/letter-address.ts";
import type { Order } from "../../orders/order.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";

/** A letter to print. */
export interface Letter {
	orderId: string;
	orderNumber: OrderNumber;
	companyName: string;
	siren: string;
	orderedAt: Date;
	/** The customer's own; null without one. */
	reference: string | null;
	address: LetterAddress;
	/** Who had it sent to somebody else: « Claire Durand » and « Claire Durand (Cabinet Exemple) »; null where the customer receives it. */
	sender: { name: string; nameWithCompany: string } | null;
	/** Where its extract is stored; null when it is not there any more. */
	extractPath: string | null;
	/** Its SHA-256, in hexadecimal. */
	extractHash: string;
	isPrinted: boolean;
}

/** Whether the letter of an order is addressed to its customer, by name or by the invoiced company. */
export function isForCustomer(order: Order): boolean {
	const { first_name, last_name, billing_company } = order;
	return isNameOfCustomer(getLetterAddress(order).name, { person: `${first_name} ${last_name}`, company: billing_company ?? "" });
}
