import { data, href, redirect } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import { addNoticesBeforePayment, findNoticesBeforePayment } from "../bulletin/notices-before-payment.server.ts";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { describeCards } from "../catalogue/means-of-payment.ts";
import { serviceCodes } from "../catalogue/services.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { suggestEmails } from "../order-form/answer-order-form.server.ts";
import { fillInAddresses } from "../order-form/fill-in-addresses.ts";
import { describePaymentNotices } from "../order-form/form-notices.ts";
import { checkOrder, type OrderErrors, readOrderValues, toOrderQuery } from "../order-form/order-form.ts";
import { describeCheckoutRefusal, paymentFailed } from "../payments/checkout/checkout-sentences.ts";
import { describeExpiredForm, describeUnknownCompany } from "../payments/checkout/no-payment.ts";
import { describeCustomer, describeSent } from "../payments/checkout/payment-customer.ts";
import { openForm, readPaymentFields, readPaymentForm } from "../payments/checkout/payment-form.server.ts";
import { NoPaymentPage, PaymentPage } from "../payments/checkout/payment-page.tsx";
import { PurchasePaymentPage } from "../payments/checkout/purchase-payment-page.tsx";
import { startCheckout } from "../payments/checkout/start-checkout.server.ts";
import { startFormCheckout } from "../payments/checkout/start-form-checkout.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import type { Sales } from "../shop-settings/sales.ts";
import { describeRefusal } from "../shop-settings/sales-sentences.ts";
import { createConfirmationCookies } from "../tracking/confirmation/confirmation-access.server.ts";
import { redirectToPayment } from "../tracking/redirect-to-payment.server.ts";
import { privateHeaders, readForm, setRetryAfter } from "../web/http.ts";
import type { Route } from "./+types/payment";
import { payPurchase, showPurchasePayment } from "./purchases/purchase-payment.server.ts";

export const handle = { funnel: true, sells: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Paiement de votre commande" }, { name: "robots", content: "noindex" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const query = new URL(request.url).searchParams;
	const opened = await openForm(shop, request);
	if (!opened.ok) return data({ state: "nothing" as const, ...describeExpiredForm() }, { status: 410 });
	const { form } = opened;
	if (form?.lines) return showPurchasePayment(context, form, query.has("modifiee"));
	const order = readPaymentFields(opened.fields);
	const editUrl = (fields: URLSearchParams) => `${href("/commande")}?${form === null ? fields : `commande=${form.token}`}`;
	if (order === null) throw redirect(form === null ? href("/") : editUrl(opened.fields));
	const { values, service, siren } = order;
	const [company, told] = await Promise.all([findCompany(shop.db, siren), findNoticesBeforePayment(shop.db, siren, shop.now())]);
	if (company === null) {
		const withoutCompany = toOrderQuery({ ...values, siren: "" });
		return data({ state: "nothing" as const, ...describeUnknownCompany(siren, editUrl(withoutCompany)) }, { status: 404 });
	}
	const preview = toPreview(addNoticesBeforePayment(company, told));
	const shown = readOrderValues(opened.shown);
	const isMasked = form?.isMasked === true;
	const sales = await shop.readSales();
	return data({
		state: "order" as const,
		customer: describeCustomer(fillInAddresses(shown, preview), describeSent(service), { meant: suggestEmails(shown), isMasked }),
		editUrl: editUrl(toOrderQuery(values)),
		service,
		company: preview,
		deadline: formatDeadlines(shop.now(), sales.calendar, sales.closed)[service],
		closed: service in sales.closed ? describeRefusal(service, { ...sales, now: shop.now() }) : null,
		hasOther: isAnyOpen(sales),
		asksConsents: values.acceptTerms === "",
		formVersion: form?.orderKey ?? null,
		idempotencyKey: form?.orderKey ?? String(crypto.randomUUID()),
		notices: describePaymentNotices({ isMasked }, query.has("modifiee")),
		cards: describeCards(shop.provider.name),
	});
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const { searchParams } = new URL(request.url);
	const opened = await openForm(shop, request);
	if (!opened.ok) throw redirect(`${href("/paiement")}?${searchParams}`, 303);
	const { form } = opened;
	if (form?.lines) return payPurchase(context, form, await readForm(request));
	const checkout = readPaymentForm(opened.fields, await readForm(request));
	const reload = () => redirect(`${href("/paiement")}?commande=${form?.token}&modifiee=1`, 303);
	// another tab has changed the order since this page was shown
	if (form !== null && form.orderKey !== checkout.idempotencyKey) return reload();
	const refuse = async (
		status: number,
		error: string,
		{ errors = {}, key = checkout.idempotencyKey, closed = false, headers }: RefusalParts = {},
	) => {
		const hasOther = closed && isAnyOpen(await shop.readSales());
		return data({ error, errors, closed, hasOther, idempotencyKey: key }, { status, ...(headers && { headers }) });
	};
	const errors = checkOrder(checkout.values, ["acceptTerms"]);
	if (errors.acceptTerms) return refuse(400, errors.acceptTerms, { errors });
	const client = context.get(clientContext).key;
	const start = form === null ? startCheckout(shop, { ...checkout, client }) : startFormCheckout(shop, { ...checkout, client }, form);
	const started = await start.catch((error: Error) => {
		shop.log.error({ error: describeFault(error) }, "a payment could not be started");
		return { ok: false as const, code: "fault" as const, status: isDatabaseUnavailable(error) ? 503 : 500 };
	});
	// a browser that only has the URL of the form may pay, but sees no more afterwards (docs/rules.md, R215)
	if (started.ok) return redirectToPayment(shop, started.url, opened.isOwn ? started.orderId : null);
	if (started.code === "fault") return refuse(started.status, paymentFailed);
	if (started.code === "form-changed") return reload();
	if (started.code === "already-placed") return redirect(href("/confirmation/:sessionId?", { sessionId: started.sessionId }), 303);
	setRetryAfter(context, started);
	const { status, sentence } = describeCheckoutRefusal(started, checkout.values);
	return refuse(status, sentence, {
		closed: started.code === "closed" || started.code === "full",
		// a form whose order has failed has another key by now
		...("orderKey" in started && { key: started.orderKey }),
		// the order is placed: this browser may pay it by the link of the reminder
		...("orderId" in started && opened.isOwn && { headers: await createConfirmationCookies(shop, started.orderId) }),
	});
}

const isAnyOpen = ({ closed }: Sales): boolean => serviceCodes.some((code) => !(code in closed));

interface RefusalParts {
	errors?: OrderErrors;
	key?: string | null;
	/** The service cannot be ordered now. */
	closed?: boolean;
	headers?: Headers;
}

export default function PaymentRoute({ loaderData, actionData }: Route.ComponentProps) {
	if (loaderData.state === "nothing") return <NoPaymentPage {...loaderData} />;
	if (loaderData.state === "purchase") return <PurchasePaymentPage key={loaderData.formVersion} {...loaderData} refusal={actionData} />;
	// a form that changed in another tab has another key, and its page starts again
	return <PaymentPage key={loaderData.formVersion} {...loaderData} refusal={actionData} />;
}
