import { formatAddressLines } from "../../addresses/address-lines.ts";
import { findNextOpening } from "../../catalogue/opening-hours.ts";
import { isPosted } from "../../catalogue/services.ts";
import { maskEmail } from "../../mail/mask-email.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { getLetterAddress } from "../../orders/letter-address.ts";
import type { Order } from "../../orders/order.ts";
import { findRecipient } from "../../orders/recipient.ts";
import type { Shop } from "../../shop.ts";
import type { OrderPromiseProps } from "./order-promise.tsx";

/** @returns the lines of recipient and address of a letter, for its customer only; null for an order by e-mail, and for other readers. */
export function describeLetter(order: Order, access: AccessKey): string[] | null {
	if (!mayAsk(access, "read-addresses") || !isPosted(order.product_code)) return null;
	const { name, complement, address, postalCode, city } = getLetterAddress(order);
	return formatAddressLines({ name, complement, street: address, postalCode, city });
}

/** The addresses and the clock that an order's pages show while its delivery is awaited. The addresses are masked for other readers. */
export async function describeWait(
	shop: Pick<Shop, "now" | "readSales" | "environment">,
	order: Order,
	access: AccessKey,
): Promise<Pick<OrderPromiseProps, "sentTo" | "clock">> {
	const recipient = isPosted(order.product_code) ? null : findRecipient(order);
	const nextOpening = await readNextOpening(shop);
	const addresses = [order.customer_email, ...(recipient === null ? [] : [recipient])];
	return {
		sentTo: mayAsk(access, "read-addresses") ? addresses : addresses.map(maskEmail),
		clock: { now: shop.now().toISOString(), nextOpening: nextOpening?.toISOString() ?? null },
	};
}

/**
 * When a person can ask the registry: at the next opening, with days off and closures; null while the shop is open, and for the demo's
 * issuer, which asks at any hour.
 */
export async function readNextOpening({
	now,
	readSales,
	environment,
}: Pick<Shop, "now" | "readSales" | "environment">): Promise<Date | null> {
	if (environment.issuer === "specimen") return null;
	const { calendar } = await readSales();
	return findNextOpening(now(), calendar);
}
