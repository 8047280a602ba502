import { data, href, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { parseServiceCode, serviceCodes, suggestedService } from "../catalogue/services.ts";
import { answerForm } from "../checkout/form/answer-form.server.ts";
import { describeForm } from "../checkout/form/describe-form.server.ts";
import { fillInLink } from "../checkout/form/fill-in-link.ts";
import { getFormUrl, isList, toFormLine } from "../checkout/form/form-line.ts";
import { describeClosedService, describeMasked, formExpired } from "../checkout/form/form-notices.ts";
import { isOrderable } from "../checkout/form/lines/checked-line.ts";
import { clearConsents } from "../checkout/form/order-form.ts";
import { OrderFormPage } from "../checkout/form/order-form-page.tsx";
import { openStoredForm } from "../checkout/form/order-forms.server.ts";
import { readValues } from "../checkout/form/read-values.server.ts";
import { describeRefusedEmail } from "../checkout/form/refused-email.ts";
import { parseSiren } from "../companies/siren.ts";
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

/** The answer to a form is its whole page. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
	actionStatus === undefined && defaultShouldRevalidate;

/** `/commande/{siren}?service=` for a given company, or `/commande`, prefilled from a `/paiement` query or from a stored form. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const query = new URL(request.url).searchParams;
	const token = query.get("commande");
	const stored = token === null ? null : await openStoredForm(shop, request, token);
	if (stored && isList(stored.lines)) throw redirect(getFormUrl(stored));
	const values = clearConsents(stored ? readValues(new URLSearchParams(stored.shown)) : fillInLink(readValues(query)));
	const given = parseServiceCode(values.service);
	const fixed = params.siren !== undefined;
	if (fixed && given === null) throw redirect(href("/"));
	const siren = parseSiren(params.siren ?? (stored ? (stored.lines[0]?.company ?? "") : values.siren));
	const { closed } = await shop.readSales();
	// a closed service is replaced by one that can be ordered, which the customer confirms
	const service =
		[given, suggestedService, ...serviceCodes].find((code) => code !== null && !(code in closed)) ?? given ?? suggestedService;
	const line = toFormLine({ company: siren ?? "", reference: stored?.lines[0]?.reference ?? "" });
	const content = { values: { ...values, service }, lines: [line] };
	const start = await describeForm(shop, content, { hasList: false, tellsNotices: fixed });
	// the company's page gives the reason: it is unknown, or has no extract
	if (fixed && !start.lines.some(isOrderable)) throw redirect(href("/entreprise/:siren", { siren: params.siren }));
	const notices = [
		given !== null && service !== given ? describeClosedService(given, service) : null,
		stored ? describeMasked(stored, "form") : token === null ? null : formExpired,
	];
	const told = notices.filter((notice) => notice !== null);
	return { start, fixed, notices: told, findings: describeRefusedEmail(query, values), serviceGiven: service === given };
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const token = new URL(request.url).searchParams.get("commande");
	const client = context.get(clientContext).key;
	const answered = await answerForm(context.get(shopContext), await readForm(request), { request, token, client, siren: params.siren });
	if (answered.ok) return redirect(answered.url, { status: 303, headers: answered.headers });
	setRetryAfter(context, answered);
	return data(answered.page, { status: answered.status });
}

export default function OrderRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <OrderFormPage {...loaderData} answer={actionData} />;
}
