import { data, href, redirect, redirectDocument, type ShouldRevalidateFunctionArgs } from "react-router";
import { addNoticesBeforePayment, findNoticesBeforePayment } from "../bulletin/notices-before-payment.server.ts";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { describeMeansOfPayment } from "../catalogue/means-of-payment.ts";
import { parseServiceCode, type ServiceCode, serviceCodes, suggestedService } from "../catalogue/services.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { answerOrderForm, tooManyForms } from "../order-form/answer-order-form.server.ts";
import { fillInLink } from "../order-form/fill-in-link.ts";
import { getFormUrl, isList, toFormLine } from "../order-form/form-line.ts";
import { describeClosedService, describeMasked, formExpired } from "../order-form/form-notices.ts";
import { readOrderValues } from "../order-form/order-form.ts";
import { openStoredForm, storeForm } from "../order-form/order-forms.server.ts";
import { OrderPage } from "../order-form/order-page.tsx";
import { severalIntent } from "../order-form/several-intent.ts";
import { clientContext, type Shop, shopContext } from "../shop.ts";
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
	const client = context.get(clientContext).key;
	const service = parseServiceCode(new URL(request.url).searchParams.get("service"));
	if (form.get("intent") === severalIntent) return orderSeveral(shop, form, { request, siren: params.siren, service, client });
	const answer = await answerOrderForm(shop, form, params.siren);
	const id = String(crypto.randomUUID());
	if (!answer.ok) return data({ ...answer.state, id, refusal: answer.refusal ?? null }, { status: answer.status });
	const token = new URL(request.url).searchParams.get("commande");
	const stored = await storeForm(shop, answer.form, { request, token, client });
	if (stored.ok) return redirect(`${href("/paiement")}?commande=${stored.token}`, { status: 303, headers: stored.headers });
	setRetryAfter(context, stored);
	return data({ ...answer.state, id, refusal: tooManyForms }, { status: 429 });
}

interface SeveralParts {
	request: Request;
	siren: string | undefined;
	/** Given by the page's link. */
	service: ServiceCode | null;
	client: string;
}

/**
 * « Ajouter une autre entreprise »: the form becomes the first line of one of several orders, with what was typed. The service that the form
 * of one order suggests by itself is no choice (docs/rules.md, R133).
 */
async function orderSeveral(shop: Shop, form: FormData, { request, siren, service, client }: SeveralParts) {
	const typed = readOrderValues(form);
	if (service === null && typed.service === suggestedService) typed.service = "";
	const company = parseSiren(siren ?? typed.siren);
	const lines = company ? [toFormLine({ company })] : [];
	const stored = await storeForm(shop, { values: { ...typed, siren: "" }, lines }, { request, token: null, client });
	if (!stored.ok) return redirectDocument(href("/commande/plusieurs"), 303);
	return redirectDocument(`${href("/commande/plusieurs")}?commande=${stored.token}`, { status: 303, headers: stored.headers });
}

export default function OrderRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <OrderPage {...loaderData} answer={actionData} />;
}
