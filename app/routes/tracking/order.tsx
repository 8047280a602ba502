import { data, href, redirect } from "react-router";
import { findOrderToShow } from "../../checkout/payment/resume-payment.server.ts";
import { answerOrderForm } from "../../customer/tracking/answer-order-form.server.ts";
import { describeTrackedOrder } from "../../customer/tracking/order/describe-tracked-order.server.ts";
import { answerSearch } from "../../customer/tracking/search-order.server.ts";
import { closeTracking, createQuitKey, findTrackedOrder } from "../../customer/tracking/tracking-access.server.ts";
import { TrackingPage } from "../../customer/tracking/tracking-page.tsx";
import { shopContext } from "../../shop.ts";
import { readLine } from "../../ui/forms/text.ts";
import { pageMeta } from "../../ui/site.ts";
import { privateHeaders, readForm } from "../../web/http.ts";
import type { Route } from "./+types/order";

export const headers = ({ loaderHeaders, actionHeaders }: Route.HeadersArgs) => ({
	"cache-control": privateHeaders["cache-control"],
	"referrer-policy": privateHeaders["referrer-policy"],
	...Object.fromEntries(loaderHeaders),
	...Object.fromEntries(actionHeaders),
});

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Suivre votre commande",
		picture: true,
		description: "Retrouvez votre commande avec votre adresse e-mail et son numéro\u00a0: avancement, documents, historique.",
		index: page.params.number === undefined,
	});

/** `/suivi-commande` asks for e-mail and number; `/suivi/{number}` shows that order. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const tracked = await findTrackedOrder(shop, request, params.number);
	const refreshed = tracked && (await findOrderToShow(shop, tracked.order.id));
	const described = refreshed && (await describeTrackedOrder(shop, request, refreshed, tracked.access));
	const page = {
		number: params.number ?? "",
		described: described && { ...described, quitKey: createQuitKey(shop, tracked), fromSpace: tracked.visit.kind === "space" },
		changes: described?.mayChange === true,
	};
	// search engines may list the empty form, and no order
	return data(page, { headers: params.number === undefined ? {} : { "x-robots-tag": privateHeaders["x-robots-tag"] } });
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const { number } = params;
	if (number === undefined || !form.get("intent")) return answerSearch(context, form);
	if (form.get("intent") === "quit") return closeTracking(shop, request, { number, key: readLine(form.get("key")) });
	const tracked = await findTrackedOrder(shop, request, number);
	const back = href("/suivi/:number", { number });
	// without any access, the page asks for e-mail and number again
	return tracked ? answerOrderForm(context, { ...tracked, back }, form) : redirect(back, 303);
}

export default function OrderRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <TrackingPage {...loaderData} answer={actionData} />;
}
