import { data, href, redirect, redirectDocument, type ShouldRevalidateFunctionArgs } from "react-router";
import { addNoticesBeforePayment, findNoticesBeforePayment } from "../bulletin/notices-before-payment.server.ts";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { describeMeansOfPayment } from "../catalogue/means-of-payment.ts";
import { parseServiceCode, type ServiceCode, serviceCodes, suggestedService } from "../catalogue/services.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { answerForm } from "../order-form/answer-form.server.ts";
import { fillInLink } from "../order-form/fill-in-link.ts";
import { getFormUrl, isList } from "../order-form/form-line.ts";
import { describeClosedService, describeMasked, formExpired } from "../order-form/form-notices.ts";
import { readOrderValues } from "../order-form/order-form.ts";
import { openStoredForm } from "../order-form/order-forms.server.ts";
import { OrderPage } from "../order-form/order-page.tsx";
import { clientContext, shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm, setRetryAfter } from "../web/http.ts";
import type { Route } from "./+types/order";

export const handle = { funnel: true, sells: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Finaliser votre commande KBIS",
		description:
			"Un seul formulaire\u00a0: l’entreprise, le service, vos coordonnées. Le prix et la date limite sont affichés avant de payer.",
		index: false,
	});

/** A refused form is drawn again with what is sold by now. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
	defaultShouldRevalidate || (actionStatus !== undefined && actionStatus < 500);

/** `/commande/{siren}?service=` for a given company, or `/commande`, prefilled from a `/paiement` query or from a stored form. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const query = new URL(request.url).searchParams;
	const token = query.get("commande");
	const stored = token === null ? null : await openStoredForm(shop, request, token);
	if (stored && isList(stored.lines)) throw redirect(getFormUrl(stored));
	const values = stored
		? { ...readOrderValues(new URLSearchParams(stored.shown)), siren: stored.lines[0]?.company ?? "" }
		: fillInLink(readOrderValues(query));
	const given = parseServiceCode(values.service);
	const fixed = params.siren !== undefined;
	if (fixed && given === null) throw redirect(href("/"));
	const siren = parseSiren(params.siren ?? values.siren);
	// where the customer chooses the company in the form, the payment page tells what was published
	const [company, told] = siren
		? await Promise.all([findCompany(shop.db, siren), fixed ? findNoticesBeforePayment(shop.db, [siren], shop.now()) : null])
		: [null, null];
	// the company's page gives the reason: it is unknown, or has no extract
	if (fixed && (!company || company.eligibility === "none")) throw redirect(href("/entreprise/:siren", { siren: params.siren }));
	const sales = await shop.readSales();
	const isOpen = (code: ServiceCode) => !(code in sales.closed);
	// a closed service is replaced by one that can be ordered, which the customer confirms
	const service = [given, suggestedService, ...serviceCodes].find((code) => code !== null && isOpen(code)) ?? given;
	const notices = [
		given !== null && service !== null && service !== given ? describeClosedService(given, service) : null,
		stored ? describeMasked(stored, "form") : token === null ? null : formExpired,
	];
	return {
		fixed,
		values: { ...values, service: service ?? suggestedService },
		notices: notices.filter((notice) => notice !== null),
		serviceGiven: given !== null && service === given,
		meansOfPayment: describeMeansOfPayment(shop.provider.name),
		assurances: ["Traitement sécurisé", shop.provider.name === "stripe" ? "Paiement Stripe" : "Paiement simulé"],
		company: company && toPreview(addNoticesBeforePayment(company, told?.bySiren.get(company.siren))),
		deadlines: formatDeadlines(shop.now(), sales.calendar, sales.closed),
	};
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const query = new URL(request.url).searchParams;
	const answered = await answerForm(shop, form, {
		request,
		token: query.get("commande"),
		client: context.get(clientContext).key,
		siren: params.siren,
		serviceGiven: parseServiceCode(query.get("service")) !== null,
	});
	// the page of a list has other scripts
	const goTo = answered.ok && answered.url.startsWith(href("/commande/plusieurs")) ? redirectDocument : redirect;
	if (answered.ok) return goTo(answered.url, { status: 303, headers: answered.headers });
	setRetryAfter(context, answered);
	const { values, errors, suggestions, doubtful, found, billingFound, refusal, lines } = answered.page;
	const state = { values, errors, suggestions, doubtful, found, billingFound, refusal, company: lines[0]?.company ?? null };
	return data({ ...state, id: String(crypto.randomUUID()) }, { status: answered.status });
}

export default function OrderRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <OrderPage {...loaderData} answer={actionData} />;
}
