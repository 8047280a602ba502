import { data, href, redirect } from "react-router";
import { findOrderToShow } from "../../payments/checkout/resume-payment.server.ts";
import { shopContext } from "../../shop.ts";
import { describePurchase } from "../../tracking/purchase/describe-purchase.server.ts";
import { findTrackedPurchase } from "../../tracking/purchase/purchase-access.server.ts";
import { PurchasePage } from "../../tracking/purchase/purchase-page.tsx";
import { redirectToResumedPayment } from "../../tracking/redirect-to-payment.server.ts";
import { TrackingPage } from "../../tracking/tracking-page.tsx";
import { privateHeaders, readForm } from "../../web/http.ts";
import type { Route } from "./+types/purchase";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Suivre votre commande groupée" }, { name: "robots", content: "noindex" }];

/** The page of a purchase of several orders, under the number of its first. Without access it asks for e-mail and number. */
export async function loader({ params: { number }, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const tracked = await findTrackedPurchase(shop, request, number);
	const refreshed = tracked && (await findOrderToShow(shop, tracked.first.id));
	const purchase = refreshed && (await describePurchase(shop, refreshed, tracked.access));
	if (tracked !== null && purchase === null) throw redirect(href("/suivi/:number", { number }), 303);
	return data({ number, purchase, refreshWithoutScripts: purchase?.mayChange === true });
}

/** « Reprendre le paiement » */
export async function action({ params: { number }, request, context }: Route.ActionArgs) {
	const tracked = await findTrackedPurchase(context.get(shopContext), request, number);
	const back = href("/suivi/:number/ensemble", { number });
	if (tracked === null || (await readForm(request)).get("intent") !== "resume") return redirect(back, 303);
	return redirectToResumedPayment(context, tracked.first, { back, fullAccess: tracked.access === "full" });
}

export default function PurchaseRoute({ loaderData: { number, purchase }, actionData }: Route.ComponentProps) {
	if (purchase === null) return <TrackingPage number={number} described={null} answer={undefined} />;
	const liveUrl = purchase.mayChange ? href("/suivi/:number/ensemble/direct", { number }) : null;
	return <PurchasePage purchase={purchase} liveUrl={liveUrl} error={actionData?.unpaid ?? null} />;
}
