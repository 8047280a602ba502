import { lazy } from "react";
import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { describeMeansOfPayment } from "../catalogue/means-of-payment.ts";
import { answerForm } from "../checkout/form/answer-form.server.ts";
import { describeForm } from "../checkout/form/describe-form.server.ts";
import { tooManyForms } from "../checkout/form/form-buttons.server.ts";
import { getListUrl, toFormLine } from "../checkout/form/form-line.ts";
import { describeLeftOut, describeMasked } from "../checkout/form/form-notices.ts";
import { answerList } from "../checkout/form/lines/answer-list.server.ts";
import { maxLines } from "../checkout/form/lines/line-fields.ts";
import { clearConsents } from "../checkout/form/order-form.ts";
import { OrderFormPage } from "../checkout/form/order-form-page.tsx";
import { openStoredForm, storeForm } from "../checkout/form/order-forms.server.ts";
import { isListForm } from "../checkout/form/read-form.server.ts";
import { readValues } from "../checkout/form/read-values.server.ts";
import { describeRefusedEmail } from "../checkout/form/refused-email.ts";
import { clientContext, type Shop, shopContext, truncatedFormContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm, setRetryAfter, withPrivateHeaders } from "../web/http.ts";
import type { Route } from "./+types/order-list";

/** The list has scripts « on demand », the form that it leads to has all: its loader's data says so (page-scripts.ts). */
export const handle = { scripts: "on-demand", funnel: true, sells: true };

/** The answer to a form is its whole page. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
	actionStatus === undefined && defaultShouldRevalidate;

/** The first step has no personal data, and is a public page. */
export const headers = ({ loaderHeaders, actionHeaders }: Route.HeadersArgs) =>
	new Headers([...loaderHeaders, ...[...actionHeaders].filter(([name]) => !loaderHeaders.has(name))]);

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Commander plusieurs extraits Kbis",
		description: `Jusqu’à ${maxLines} entreprises en une commande\u00a0: collez vos SIREN ou choisissez un fichier CSV, payez une fois, recevez une seule facture.`,
		index: page.loaderData?.step === "list" && !page.loaderData.expired,
	});

/** A browser loads the code of the first step only when it goes back to a form that has expired. The server cannot wait when it renders. */
const importListPage = async () => ({ default: (await import("../checkout/form/lines/list-page.tsx")).ListPage });
const ListPage = import.meta.env.SSR ? (await importListPage()).default : lazy(importListPage);

const startList = ({ provider }: Pick<Shop, "provider">) => ({
	text: "",
	errors: {},
	refusal: null,
	meansOfPayment: describeMeansOfPayment(provider.texts),
});

/** `/commande/plusieurs` asks for the list; `?commande=` shows a stored one, or a form of one extract as its first line. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const query = new URL(request.url).searchParams;
	const token = query.get("commande");
	if (token === null) return data({ step: "list" as const, ...startList(shop), expired: false });
	const stored = await openStoredForm(shop, request, token);
	const answer = { headers: privateHeaders };
	if (stored === null) return data({ step: "list" as const, ...startList(shop), expired: true }, answer);
	const values = readValues(new URLSearchParams(stored.shown));
	const isSent = stored.lines.some((line) => line.siren !== null);
	const start = await describeForm(shop, { values: isSent ? clearConsents(values) : values, lines: stored.lines }, { hasList: true });
	const notices = [describeLeftOut(stored.leftOut), describeMasked(stored, "form")].filter((notice) => notice !== null);
	const findings = describeRefusedEmail(query, values);
	return data({ step: "form" as const, scripts: "all" as const, start, notices, findings, answer: undefined }, answer);
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const client = context.get(clientContext).key;
	const token = new URL(request.url).searchParams.get("commande");
	const answer = { headers: privateHeaders };
	if (isListForm(form)) {
		const answered = await answerForm(shop, form, { request, token, client });
		if (answered.ok) return redirect(answered.url, { status: 303, headers: answered.headers });
		setRetryAfter(context, answered);
		const headers = withPrivateHeaders(answered.headers?.getSetCookie() ?? []);
		const notices = [describeLeftOut(answered.page.leftOut)].filter((notice) => notice !== null);
		return data(
			{ step: "form" as const, start: answered.page, notices, findings: {}, answer: answered.page },
			{ headers, status: answered.status },
		);
	}
	const list = await answerList(form, context.get(truncatedFormContext));
	if (!list.ok)
		return data({ step: "list" as const, ...startList(shop), ...list.state, expired: false }, { ...answer, status: list.status });
	const values = readValues(new URLSearchParams());
	const stored = await storeForm(
		shop,
		{ values, lines: list.lines.map(toFormLine), leftOut: list.leftOut },
		{ request, token: null, client },
	);
	if (stored.ok) return redirect(getListUrl(stored.token), { status: 303, headers: stored.headers });
	setRetryAfter(context, stored);
	const state = { ...startList(shop), text: String(form.get("entreprises") ?? ""), refusal: tooManyForms, expired: false };
	return data({ step: "list" as const, ...state }, { ...answer, status: 429 });
}

export default function OrderListRoute({ loaderData, actionData }: Route.ComponentProps) {
	const page = actionData ?? loaderData;
	if (page.step === "list") return <ListPage {...page} />;
	return (
		<OrderFormPage start={page.start} answer={page.answer} notices={page.notices} findings={page.findings} fixed={false} serviceGiven />
	);
}
