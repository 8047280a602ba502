import { expiringToken, type Signer, type TokenResult } from "../../server/signing.ts";
import { isUuid } from "../../server/uuid.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { Order } from "./order.ts";

type CustomerOrder = Pick<Order, "id" | "customer_email">;

/**
 * Tokens that open one order to its customer. The signature covers the customer's address, which the token does not contain: once the
 * address is corrected, no token that was sent to the previous one is valid.
 */
export interface CustomerToken {
	/** Seconds. */
	lifetime: number;
	sign(signer: Signer, order: CustomerOrder, from: Date): string;
	/** @returns the order that a token names, before its signature is verified; null for anything else. */
	parseOrderId(token: string): string | null;
	/** Verifies the token of an order. */
	read(signer: Signer, token: string, order: CustomerOrder, now: Date): TokenResult;
}

/**
 * @param purpose a token of another purpose is invalid.
 * @param lifetime in seconds.
 */
export function customerToken(purpose: string, lifetime: number): CustomerToken {
	const tokenOf = ({ customer_email }: CustomerOrder) => expiringToken(`${purpose} ${normalizeEmail(customer_email)}`, lifetime);
	return {
		lifetime,
		sign: (signer, order, from) => tokenOf(order).sign(signer, order.id, from),
		parseOrderId(token) {
			const id =
				Buffer.from(token.split(".")[0] ?? "", "base64url")
					.toString()
					.split(".")[0] ?? "";
			return isUuid(id) ? id : null;
		},
		read: (signer, token, order, now) => tokenOf(order).read(signer, token, now),
	};
}
