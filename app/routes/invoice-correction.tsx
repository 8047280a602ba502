import { data, href, redirect } from "react-router";
import {
	answerInvoiceCorrection,
	describeCorrectionForm,
} from "../customer/tracking/invoice-correction/answer-invoice-correction.server.ts";
import { InvoiceCorrectionPage } from "../customer/tracking/invoice-correction/invoice-correction-page.tsx";
import { describeAccessRefusal } from "../customer/tracking/refuse-access.server.ts";
import { findTrackedOrder } from "../customer/tracking/tracking-access.server.ts";
import { RefusedPage } from "../customer/tracking/tracking-page.tsx";
import type { TrackingAccess } from "../orders/access.ts";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/invoice-correction";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Corriger la facture",
		description: "Changer le nom, la société, l’adresse, le SIREN ou le numéro de TVA d’une facture.",
		index: false,
	});

/** `/suivi/{number}/facture`. Without access to the order it leads to its page, and with access to a part of it, it says why it is closed. */
export async function loader({ params: { number }, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const tracked = await findTrackedOrder(shop, request, number);
	if (tracked === null) throw redirect(href("/suivi/:number", { number }), 303);
	const page = await describeCorrectionForm(shop, tracked);
	return page === null ? refuse(tracked.access) : data({ page, refused: null });
}

const refuse = (access: TrackingAccess) => data({ page: null, refused: describeAccessRefusal(access) }, { status: 403 });

export async function action({ params: { number }, request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const tracked = await findTrackedOrder(context.get(shopContext), request, number);
	if (tracked === null) return redirect(href("/suivi/:number", { number }), 303);
	// the loader says why
	return (await answerInvoiceCorrection(context, tracked, form)) ?? data(null, { status: 403 });
}

export default function InvoiceCorrectionRoute({ loaderData: { page, refused }, actionData, params }: Route.ComponentProps) {
	return page === null ? <RefusedPage number={params.number} refused={refused} /> : <InvoiceCorrectionPage {...(actionData ?? page)} />;
}
