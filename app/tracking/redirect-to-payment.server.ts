import { data, type RouterContextProvider, redirect, redirectDocument } from "react-router";
import { type AccessKey, mayAsk } from "../orders/access.ts";
import { isPayable } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { paymentFailed } from "../payments/checkout/checkout-sentences.ts";
import { resumePayment } from "../payments/checkout/resume-payment.server.ts";
import { clientContext, type Shop, shopContext } from "../shop.ts";
import { setRetryAfter } from "../web/http.ts";
import { createConfirmationCookies } from "./confirmation/confirmation-access.server.ts";
import { refuseAccess } from "./refuse-access.server.ts";

/**
 * Redirects to the provider's page.
 * @param orderId the first order of the purchase whose confirmation this browser may see in full; null: no cookies for it.
 */
export async function redirectToPayment(shop: Shop, url: string, orderId: string | null): Promise<Response> {
	const headers = orderId === null ? undefined : await createConfirmationCookies(shop, orderId);
	return redirectDocument(url, { status: 303, headers });
}

/**
 * Handles « Reprendre le paiement » on all pages: redirects to the provider's page, or to `back` when the order is no longer payable. The
 * provider's page names all that is bought. Only its customer gets the cookies of the confirmation.
 */
export async function redirectToResumedPayment(
	context: Readonly<RouterContextProvider>,
	order: Order,
	{ back, access }: { back: string; access: AccessKey },
) {
	const shop = context.get(shopContext);
	if (!mayAsk(access, "resume")) return refuseAccess(access);
	if (!isPayable(order)) return redirect(back, 303);
	const opened = await resumePayment(shop, order, context.get(clientContext).key);
	if (opened.ok) return redirectToPayment(shop, opened.url, access === "purchase" ? order.purchase_id : null);
	if (opened.code === "closed" || opened.code === "full") {
		setRetryAfter(context, opened);
		return data({ unpaid: opened.sentence }, { status: opened.code === "full" ? 429 : 409 });
	}
	return data({ unpaid: paymentFailed }, { status: 502 });
}
