import type { Signer } from "../../../server/signing.ts";
import { isUuid } from "../../../server/uuid.ts";
import { findTrackingNumber } from "../../fulfilment/tracking-number.ts";
import { formatInvoiceNumber, parseInvoiceNumber } from "../../orders/invoices/invoice-number.ts";
import { readLetterNumber } from "../../orders/letter-number.server.ts";
import { type OrderNumber, parseOrderNumber } from "../../orders/order-number.server.ts";

/** What a typed text may be. Several at once: the eight letters of « GARAGEXX » are also an order number. */
export interface Guess {
	/** Numbers that name one order, the first one also by that of its letter. */
	orderNumber: OrderNumber | null;
	orderId: string | null;
	invoiceNumber: string | null;
	/** An id of the payment provider: of a payment, a session or a refund. */
	providerId: string | null;
	/** Beginnings of words that the order must all have; null when `anyOf` says more. */
	text: string | null;
	/** Beginnings of numbers of which the order has one: SIREN, telephone, tracking. */
	anyOf: string[];
}

/** Characters that separate the digits of numbers as people write them. */
const separators = /[\s.\-/()\u00a0\u202f]/g;

/** Fewer characters match too much. */
export const minQueryLength = 2;

/** Guesses what an operator typed. @returns null when it is too short. */
export function guessQuery(typed: string, signer: Signer): Guess | null {
	const text = typed.trim().slice(0, 200);
	const compact = text.replace(separators, "");
	if (compact.length < minQueryLength) return null;
	const invoice = parseInvoiceNumber(text);
	const numbers = listNumbers(compact);
	return {
		orderNumber: parseOrderNumber(text) ?? readLetterNumber(signer, text),
		orderId: isUuid(text) ? text : null,
		invoiceNumber: invoice && formatInvoiceNumber(invoice),
		providerId: /^[a-z]+_[\w-]+$/i.test(text) ? text : null,
		text: numbers.length > 0 ? null : text,
		anyOf: numbers,
	};
}

/** The spellings under which a number is stored; none when the text is not a number. */
function listNumbers(compact: string): string[] {
	const tracking = findTrackingNumber(compact);
	const digits = /^\+?\d+$/.test(compact) ? compact.replace("+", "") : null;
	if (digits === null) return tracking === null ? [] : [tracking.toLowerCase()];
	const phone = digits.replace(/^(?:00)?33(?=\d)/, "0");
	// a SIRET begins with its SIREN
	const siren = digits.length === 14 ? digits.slice(0, 9) : digits;
	return [...new Set([siren, digits, phone])];
}
