import { data, href, redirect } from "react-router";
import { answerOrderForm } from "../customer/tracking/answer-order-form.server.ts";
import { getConfirmationAccess } from "../customer/tracking/confirmation/confirmation-access.server.ts";
import { ConfirmationPage } from "../customer/tracking/confirmation/confirmation-page.tsx";
import { describeConfirmation } from "../customer/tracking/confirmation/describe-confirmation.server.ts";
import { findOrder } from "../orders/orders.store.server.ts";
import { findRecordedSession } from "../payments/payments.store.server.ts";
import { shopContext } from "../shop.ts";
import { logFault, privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/confirmation";

export const handle = { funnel: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Votre commande" }, { name: "robots", content: "noindex" }];

export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	if (!params.sessionId) return missing(400, "ID de session manquant");
	const session = await findRecordedSession(shop.db, params.sessionId);
	if (session === null) return missing(404, "Impossible de récupérer les détails de votre commande");
	const confirmation = await describeConfirmation(shop, request, session).catch(logFault(shop, "an order could not be shown"));
	if (confirmation === null) return missing(500, "Erreur lors du chargement de la commande");
	if (confirmation.state !== "order" && confirmation.state !== "purchase") return data(confirmation, { status: 410 });
	const { trackingCookies, ...page } = confirmation;
	// the browser that ordered sees a purchase of several orders on its own page, which links to each order
	if (page.state === "purchase" && trackingCookies !== null)
		throw redirect(href("/suivi/:number/ensemble", { number: page.purchase.number }), { status: 303, headers: trackingCookies });
	return data(page, trackingCookies ? { headers: trackingCookies } : {});
}

const missing = (status: number, sentence: string) => data({ state: "missing" as const, sentence }, { status });

export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const session = params.sessionId ? await findRecordedSession(shop.db, params.sessionId) : null;
	const order = session && (await findOrder(shop.db, session.order_id));
	const opened = session && order && (await getConfirmationAccess(shop, request, session, order));
	// without access the page says that it is closed
	if (!session || !order || !opened) return null;
	const back = href("/confirmation/:sessionId?", { sessionId: session.id });
	return answerOrderForm(context, { order, ...opened, back, isConfirmation: true }, form);
}

export default function ConfirmationRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <ConfirmationPage confirmation={loaderData} answer={actionData ?? null} />;
}
