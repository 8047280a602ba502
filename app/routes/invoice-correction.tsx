import { href, redirect } from "react-router";
import { shopContext } from "../shop.ts";
import { answerInvoiceCorrection, describeCorrectionForm } from "../tracking/invoice-correction/answer-invoice-correction.server.ts";
import { InvoiceCorrectionPage } from "../tracking/invoice-correction/invoice-correction-page.tsx";
import { findTrackedOrder } from "../tracking/tracking-access.server.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/invoice-correction";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Corriger la facture",
		description: "Changer le nom, la société, l’adresse, le SIREN ou le numéro de TVA d’une facture.",
		index: false,
	});

/** `/suivi/{number}/facture`. The order's page asks for the e-mail where the browser has no access, or only that of an e-mail's link. */
export async function loader({ params: { number }, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const tracked = await findTrackedOrder(shop, request, number);
	if (tracked?.access !== "full") throw redirect(href("/suivi/:number", { number }), 303);
	return describeCorrectionForm(shop, tracked.order);
}

export async function action({ params: { number }, request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const tracked = await findTrackedOrder(context.get(shopContext), request, number);
	if (tracked?.access !== "full") return redirect(href("/suivi/:number", { number }), 303);
	return answerInvoiceCorrection(context, tracked.order, form);
}

export default function InvoiceCorrectionRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <InvoiceCorrectionPage {...(actionData ?? loaderData)} />;
}
