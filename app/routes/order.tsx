import { data, href, redirect } from "react-router";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode, suggestedService } from "../catalogue/services.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { answerOrderForm } from "../order-form/answer-order-form.server.ts";
import { readOrderValues } from "../order-form/order-form.ts";
import { OrderPage } from "../order-form/order-page.tsx";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/order";

export const handle = { funnel: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Finaliser votre commande KBIS",
		description: "Un seul formulaire : l’entreprise, le service, vos coordonnées. Le prix et la date limite sont affichés avant de payer.",
		index: false,
	});

/** `/commande/{siren}?service=` for a given company, or `/commande` prefilled from a `/paiement` query. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { db, calendar, now, provider } = context.get(shopContext);
	const values = readOrderValues(new URL(request.url).searchParams);
	const service = parseServiceCode(values.service);
	const fixed = params.siren !== undefined;
	if (fixed && service === null) throw redirect(href("/"));
	const siren = parseSiren(params.siren ?? values.siren);
	const company = siren && (await findCompany(db, siren));
	// the company's page gives the reason: it is unknown, or has no extract
	if (fixed && (!company || company.eligibility === "none")) throw redirect(href("/entreprise/:siren", { siren: params.siren }));
	return {
		fixed,
		values: { ...values, service: service ?? suggestedService },
		serviceGiven: service !== null,
		assurances: ["Traitement sécurisé", ...(provider.name === "stripe" ? ["Paiement Stripe"] : [])],
		company: company && toPreview(company),
		deadlines: formatDeadlines(now(), calendar),
	};
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const answer = await answerOrderForm(context.get(shopContext), await readForm(request), params.siren);
	if (answer.ok) return redirect(`${href("/paiement")}?${answer.query}`, 303);
	return data({ ...answer.state, id: String(crypto.randomUUID()) }, { status: answer.status });
}

export default function OrderRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <OrderPage {...loaderData} answer={actionData} />;
}
