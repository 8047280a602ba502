import { data, href, redirect } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { checkOrder, type OrderErrors } from "../order-form/order-form.ts";
import { describeCheckoutRefusal, paymentFailed } from "../payments/checkout/checkout-sentences.ts";
import { readPaymentForm, readPaymentQuery } from "../payments/checkout/payment-form.server.ts";
import { PaymentPage, UnknownCompanyPage } from "../payments/checkout/payment-page.tsx";
import { startCheckout } from "../payments/checkout/start-checkout.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import { redirectToPayment } from "../tracking/redirect-to-payment.server.ts";
import { privateHeaders, readForm, setRetryAfter } from "../web/http.ts";
import type { Route } from "./+types/payment";

export const handle = { funnel: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Paiement de votre commande" }, { name: "robots", content: "noindex" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	const { db, calendar, now, provider } = context.get(shopContext);
	const order = readPaymentQuery(new URL(request.url).searchParams);
	if (order === null) throw redirect(href("/"));
	const { values, service, siren } = order;
	const company = await findCompany(db, siren);
	if (company === null) return data({ company, values }, { status: 404 });
	return data({
		values,
		service,
		company: toPreview(company),
		deadline: formatDeadlines(now(), calendar)[service],
		asksConsents: values.acceptTerms === "",
		idempotencyKey: String(crypto.randomUUID()),
		cards: provider.name === "sandbox" ? null : ["Visa", "Mastercard", "American Express"],
	});
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const checkout = readPaymentForm(new URL(request.url).searchParams, await readForm(request));
	const refuse = (status: number, error: string, errors: OrderErrors = {}) =>
		data({ error, errors, idempotencyKey: checkout.idempotencyKey }, { status });
	const errors = checkOrder(checkout.values, ["acceptTerms"]);
	if (errors.acceptTerms) return refuse(400, errors.acceptTerms, errors);
	const started = await startCheckout(shop, { ...checkout, client: context.get(clientContext).key }).catch((error: Error) => {
		shop.log.error({ error: describeFault(error) }, "a payment could not be started");
		return { ok: false as const, code: "fault" as const, status: isDatabaseUnavailable(error) ? 503 : 500 };
	});
	if (!started.ok && started.code === "fault") return refuse(started.status, paymentFailed);
	setRetryAfter(context, started);
	if (started.ok) return redirectToPayment(shop, started.url, started.orderId);
	const { status, sentence } = describeCheckoutRefusal(started, checkout.values);
	return refuse(status, sentence);
}

export default function PaymentRoute({ loaderData, actionData }: Route.ComponentProps) {
	return loaderData.company ? <PaymentPage {...loaderData} refusal={actionData} /> : <UnknownCompanyPage values={loaderData.values} />;
}
