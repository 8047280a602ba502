import { data, href, redirect } from "react-router";
import { findOrderToShow } from "../../checkout/payment/resume-payment.server.ts";
import { readSearch } from "../../customer/space/read-query.ts";
import { answerOrderForm } from "../../customer/tracking/answer-order-form.server.ts";
import { describePurchase } from "../../customer/tracking/purchase/describe-purchase.server.ts";
import { listMatchingLines } from "../../customer/tracking/purchase/find-lines.store.server.ts";
import { findIntent } from "../../customer/tracking/purchase/purchase-lines.tsx";
import { PurchasePage } from "../../customer/tracking/purchase/purchase-page.tsx";
import { describeAccessRefusal, refuseAccess } from "../../customer/tracking/refuse-access.server.ts";
import { createQuitKey, findTrackedPurchase } from "../../customer/tracking/tracking-access.server.ts";
import { RefusedPage } from "../../customer/tracking/tracking-page.tsx";
import type { TrackingAccess } from "../../orders/access.ts";
import { shopContext } from "../../shop.ts";
import { privateHeaders, readForm } from "../../web/http.ts";
import type { Route } from "./+types/purchase";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Suivre votre commande groupée" }, { name: "robots", content: "noindex" }];

/**
 * The page of a purchase of several orders, under the number of its first. Without access it asks for e-mail and number; with access to one
 * order alone it says so, and asks too.
 */
export async function loader({ params: { number }, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const tracked = await findTrackedPurchase(shop, request, number);
	if (tracked.state === "closed") return data({ ...closed, number });
	if (tracked.state === "line") throw redirect(href("/suivi/:number/commande-groupee", { number }), 303);
	if (tracked.state === "refused") return refusePage(number, tracked.access);
	const refreshed = await findOrderToShow(shop, tracked.order.id);
	const purchase = refreshed && (await describePurchase(shop, request, refreshed, tracked.access));
	if (purchase === null) throw redirect(href("/suivi/:number", { number }), 303);
	const fromSpace = tracked.visit.kind === "space";
	return data({
		number,
		purchase,
		quitKey: createQuitKey(shop, tracked),
		fromSpace,
		refused: null,
		changes: purchase.mayChange,
	});
}

const closed = { purchase: null, quitKey: null, fromSpace: false, refused: null, changes: false };

const refusePage = (number: string, access: TrackingAccess) =>
	data({ ...closed, number, refused: describeAccessRefusal(access) }, { status: 403 });

/** The search among the lines; and the buttons of the page, which ask for the first order. */
export async function action({ params: { number }, request, context }: Route.ActionArgs) {
	const back = href("/suivi/:number/ensemble", { number });
	const form = await readForm(request);
	const tracked = await findTrackedPurchase(context.get(shopContext), request, number);
	if (tracked.state === "closed" || tracked.state === "line") return redirect(back, 303);
	if (tracked.state === "refused") return refuseAccess(tracked.access);
	const typed = readSearch(form.get("q"));
	if (form.get("intent") === findIntent && typed !== "")
		return data({ typed, found: await listMatchingLines(context.get(shopContext).db, tracked.order.id, typed) });
	return answerOrderForm(context, { ...tracked, back }, form);
}

export default function PurchaseRoute({ loaderData: { number, purchase, quitKey, fromSpace, refused }, actionData }: Route.ComponentProps) {
	if (purchase === null) return <RefusedPage number={number} refused={refused} />;
	const liveUrl = purchase.mayChange ? href("/suivi/:number/ensemble/direct", { number }) : null;
	const search = actionData && "found" in actionData ? actionData : null;
	const answer = actionData && !("found" in actionData) ? actionData : null;
	return <PurchasePage {...{ purchase, liveUrl, quitKey, fromSpace, answer, search }} />;
}
