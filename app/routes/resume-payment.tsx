import { data, href, redirect } from "react-router";
import { describeUnpaid } from "../checkout/payment/check-sales.server.ts";
import { ExpiredLinkPage, ResumePage } from "../checkout/payment/resume-page.tsx";
import { findOrderToResume } from "../checkout/payment/resume-payment.server.ts";
import { findOrderingVisit } from "../customer/tracking/confirmation/confirmation-access.server.ts";
import { redirectToResumedPayment } from "../customer/tracking/redirect-to-payment.server.ts";
import { isPayable } from "../orders/lifecycle.ts";
import { sumPrices } from "../orders/order.ts";
import { listOrdersOfPurchase } from "../orders/orders.store.server.ts";
import { type Shop, shopContext } from "../shop.ts";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/resume-payment";

export const handle = { scripts: false, funnel: true, sells: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Reprendre votre paiement" }, { name: "robots", content: "noindex" }];

/**
 * The target of the provider's cancel link and of the reminder's: resumes the payment of an unpaid order. It gives no access to the order,
 * because the reminder may have been forwarded, or sent to a mistyped address. The browser that ordered has a cookie for it.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const order = await findUnpaidOrder(shop, params.token);
	if (order === null) return data({ purchase: null }, { status: 410 });
	const orders = await listOrdersOfPurchase(shop.db, order.purchase_id);
	return data({
		purchase: {
			number: order.order_number,
			company: orders.length === 1 ? { name: order.company_name, siren: order.siren } : null,
			totals: await describeUnpaid(shop, orders),
			total: sumPrices(orders),
		},
	});
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const order = await findUnpaidOrder(shop, params.token);
	if (order === null) return data({ unpaid: undefined }, { status: 410 });
	const back = href("/suivi/:number", { number: order.order_number });
	const visit = await findOrderingVisit(shop, request, order);
	return redirectToResumedPayment(context, { order, access: visit ? "purchase" : "payment-link", visit, back });
}

/** @returns the order of a link, or null when the link has expired; throws the response to any other link. */
async function findUnpaidOrder(shop: Shop, token: string) {
	const found = await findOrderToResume(shop, token);
	if (!found.ok && found.code === "expired") return null;
	if (!found.ok) throw data("Ce lien n’est pas valide. Retrouvez votre commande sur la page de suivi.", { status: 403 });
	if (!isPayable(found.order)) throw redirect(href("/suivi/:number", { number: found.order.order_number }), 303);
	return found.order;
}

export default function ResumeRoute({ loaderData, actionData }: Route.ComponentProps) {
	const error = actionData && "unpaid" in actionData ? actionData.unpaid : undefined;
	return loaderData.purchase ? <ResumePage purchase={loaderData.purchase} error={error} /> : <ExpiredLinkPage />;
}
