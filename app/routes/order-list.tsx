import { data, href, redirect } from "react-router";
import { describeMeansOfPayment } from "../catalogue/means-of-payment.ts";
import { answerForm } from "../order-form/answer-form.server.ts";
import { describeForm } from "../order-form/describe-form.server.ts";
import { tooManyForms } from "../order-form/form-buttons.server.ts";
import { toFormLine } from "../order-form/form-line.ts";
import { describeMasked } from "../order-form/form-notices.ts";
import { noFindings } from "../order-form/form-state.ts";
import { answerList } from "../order-form/lines/answer-list.server.ts";
import { ListPage } from "../order-form/lines/list-page.tsx";
import { maxLines } from "../order-form/lines/typed-lines.ts";
import { ListFormPage } from "../order-form/list-form-page.tsx";
import { readOrderValues } from "../order-form/order-form.ts";
import { openStoredForm, storeForm } from "../order-form/order-forms.server.ts";
import { isListForm } from "../order-form/read-form.ts";
import { clientContext, type Shop, shopContext, truncatedFormContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm, setRetryAfter, withPrivateHeaders } from "../web/http.ts";
import type { Route } from "./+types/order-list";

export const handle = { scripts: "on-demand", funnel: true, sells: true };

/** The first step has no personal data, and is a public page. */
export const headers = ({ loaderHeaders, actionHeaders }: Route.HeadersArgs) =>
	new Headers([...loaderHeaders, ...[...actionHeaders].filter(([name]) => !loaderHeaders.has(name))]);

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Commander plusieurs extraits Kbis",
		description: `Jusqu’à ${maxLines} entreprises en une commande\u00a0: collez vos SIREN ou choisissez un fichier CSV, payez une fois, recevez une seule facture.`,
		index: page.loaderData?.step === "list" && !page.loaderData.expired,
	});

const toFormUrl = (token: string) => `${href("/commande/plusieurs")}?commande=${token}`;

const startList = ({ provider }: Pick<Shop, "provider">) => ({
	...{ text: "", errors: {}, refusal: null },
	meansOfPayment: describeMeansOfPayment(provider.name),
});

/** `/commande/plusieurs` asks for the list; `?commande=` shows a stored one, or a form of one extract as its first line. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const token = new URL(request.url).searchParams.get("commande");
	if (token === null) return data({ step: "list" as const, ...startList(shop), expired: false });
	const stored = await openStoredForm(shop, request, token);
	const answer = { headers: privateHeaders };
	if (stored === null) return data({ step: "list" as const, ...startList(shop), expired: true }, answer);
	const { lines } = stored;
	const values = readOrderValues(new URLSearchParams(stored.shown));
	// the boxes of a form that was sent are not ticked again (docs/rules.md, R9)
	const isSent = lines.some((line) => line.siren !== null);
	const ticked = isSent ? { acceptTerms: "", waiveWithdrawal: "" } : {};
	const page = await describeForm(shop, { values: { ...values, ...ticked }, lines }, { tellsNotices: true });
	const meansOfPayment = describeMeansOfPayment(shop.provider.name);
	return data({ step: "form" as const, ...page, ...noFindings, masked: describeMasked(stored, "form"), meansOfPayment }, answer);
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const client = context.get(clientContext).key;
	const token = new URL(request.url).searchParams.get("commande");
	const answer = { headers: privateHeaders };
	if (isListForm(form)) {
		const meansOfPayment = describeMeansOfPayment(shop.provider.name);
		const answered = await answerForm(shop, form, { request, token, client });
		if (answered.ok) return redirect(answered.url, { status: 303, headers: answered.headers });
		setRetryAfter(context, answered);
		const headers = withPrivateHeaders(answered.headers?.getSetCookie() ?? []);
		return data({ step: "form" as const, ...answered.page, masked: null, meansOfPayment }, { headers, status: answered.status });
	}
	const list = await answerList(form, context.get(truncatedFormContext));
	if (!list.ok)
		return data({ step: "list" as const, ...startList(shop), ...list.state, expired: false }, { ...answer, status: list.status });
	const values = readOrderValues(new URLSearchParams());
	const stored = await storeForm(shop, { values, lines: list.lines.map(toFormLine) }, { request, token: null, client });
	if (stored.ok) return redirect(toFormUrl(stored.token), { status: 303, headers: stored.headers });
	setRetryAfter(context, stored);
	const state = { ...startList(shop), text: String(form.get("entreprises") ?? ""), refusal: tooManyForms, expired: false };
	return data({ step: "list" as const, ...state }, { ...answer, status: 429 });
}

export default function OrderListRoute({ loaderData, actionData }: Route.ComponentProps) {
	const page = actionData ?? loaderData;
	return page.step === "list" ? <ListPage {...page} /> : <ListFormPage {...page} />;
}
