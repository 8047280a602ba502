import { redirectDocument } from "react-router";
import type { Shop } from "../shop.ts";
import { createConfirmationCookies } from "./confirmation-access.server.ts";

/**
 * Sends a browser to the provider's page.
 * @param orderId the order whose confirmation that browser may then see whole; null: the cookies for it are not given.
 */
export async function redirectToPayment(shop: Shop, url: string, orderId: string | null): Promise<Response> {
	const headers = orderId === null ? undefined : await createConfirmationCookies(shop, orderId);
	return redirectDocument(url, { status: 303, headers });
}
