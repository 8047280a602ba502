import { data, type RouterContextProvider, redirect, redirectDocument } from "react-router";
import { orderEmailRefused, paymentFailed } from "../../checkout/payment/checkout-sentences.ts";
import { resumePayment } from "../../checkout/payment/resume-payment.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { isPayable } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import type { Visit } from "../../orders/visit.ts";
import { clientContext, type Shop, shopContext } from "../../shop.ts";
import { setRetryAfter } from "../../web/http.ts";
import { createConfirmationCookies } from "./confirmation/confirmation-access.server.ts";
import { refuseAccess } from "./refuse-access.server.ts";

/**
 * Redirects to the provider's page.
 * @param own the first order of the purchase whose confirmation this browser may see in full, and the visit with which that ends; null: no
 * cookies for it.
 */
export async function redirectToPayment(shop: Shop, url: string, own: { orderId: string; visit: Visit } | null): Promise<Response> {
	const headers = own === null ? undefined : await createConfirmationCookies(shop, own.orderId, own.visit);
	return redirectDocument(url, { status: 303, headers });
}

/**
 * Handles « Reprendre le paiement » on all pages: redirects to the provider's page, or to `back` when the order is no longer payable. The
 * provider's page names all that is bought. Only its customer gets the cookies of the confirmation.
 */
export async function redirectToResumedPayment(
	context: Readonly<RouterContextProvider>,
	{ order, access, visit, back }: { order: Order; access: AccessKey; visit: Visit | null; back: string },
) {
	const shop = context.get(shopContext);
	if (!mayAsk(access, "resume")) return refuseAccess(access);
	if (!isPayable(order)) return redirect(back, 303);
	const opened = await resumePayment(shop, order, context.get(clientContext).key);
	if (opened.ok) return redirectToPayment(shop, opened.url, access === "purchase" && visit ? { orderId: order.purchase_id, visit } : null);
	if (opened.code === "closed" || opened.code === "full") {
		setRetryAfter(context, opened);
		return data({ unpaid: opened.sentence }, { status: opened.code === "full" ? 429 : 409 });
	}
	if (opened.code === "email-refused") return data({ unpaid: orderEmailRefused }, { status: 400 });
	return data({ unpaid: paymentFailed }, { status: 502 });
}
