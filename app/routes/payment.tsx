import { data, href, redirect } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import { describeCards } from "../catalogue/means-of-payment.ts";
import { describeOtherName, describePaymentNotices } from "../checkout/form/form-notices.ts";
import { toOrderQuery } from "../checkout/form/order-form.ts";
import { toRefusedEmailUrl } from "../checkout/form/refused-email.ts";
import { readSalesNow } from "../checkout/payment/check-sales.server.ts";
import { describeCheckoutRefusal, paymentFailed } from "../checkout/payment/checkout-sentences.ts";
import { describeLost, describePayment, isAnyOpen } from "../checkout/payment/describe-payment.server.ts";
import { describeExpiredForm, describeUnknownCompany } from "../checkout/payment/no-payment.ts";
import { openForm, readPaymentForm } from "../checkout/payment/payment-form.server.ts";
import { NoPaymentPage, PaymentPage, type PaymentRefusal } from "../checkout/payment/payment-page.tsx";
import { startCheckout } from "../checkout/payment/start-checkout.server.ts";
import { startFormCheckout } from "../checkout/payment/start-form-checkout.server.ts";
import { createConfirmationCookies } from "../customer/tracking/confirmation/confirmation-access.server.ts";
import { redirectToPayment } from "../customer/tracking/redirect-to-payment.server.ts";
import { createVisit } from "../customer/tracking/visits/visits.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import { privateHeaders, readForm, setRetryAfter } from "../web/http.ts";
import type { Route } from "./+types/payment";

export const handle = { funnel: true, sells: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Paiement de votre commande" }, { name: "robots", content: "noindex" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const opened = await openForm(shop, request);
	if (!opened.ok && opened.code === "incomplete") throw redirect(opened.formUrl);
	if (!opened.ok) return data({ state: "nothing" as const, ...describeExpiredForm() }, { status: 410 });
	const { content, shown, stored, isMasked, editUrl } = opened;
	const { otherName, ...payment } = await describePayment(shop, { values: shown, lines: content.lines }, isMasked);
	const [only, ...others] = content.lines;
	if (only?.siren && others.length === 0 && payment.lines.length === 0) {
		const changed = stored ? editUrl : `${href("/commande")}?${toOrderQuery({ ...shown, siren: "" })}`;
		return data({ state: "nothing" as const, ...describeUnknownCompany(only.siren, changed) }, { status: 404 });
	}
	return data({
		state: "order" as const,
		...payment,
		editUrl,
		asksConsents: content.values.acceptTerms === "",
		formVersion: stored?.orderKey ?? null,
		idempotencyKey: stored?.orderKey ?? String(crypto.randomUUID()),
		notices: [...describePaymentNotices({ isMasked }, new URL(request.url).searchParams.has("modifiee")), ...describeOtherName(otherName)],
		cards: describeCards(shop.provider.texts),
	});
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const { searchParams } = new URL(request.url);
	const opened = await openForm(shop, request);
	if (!opened.ok && opened.code === "incomplete") throw redirect(opened.formUrl);
	if (!opened.ok) throw redirect(`${href("/paiement")}?${searchParams}`, 303);
	const { content, stored, isOwn, editUrl } = opened;
	const submitted = readPaymentForm(content.values, await readForm(request));
	const reload = () => redirect(`${href("/paiement")}?commande=${stored?.token}&modifiee=1`, 303);
	// another tab has changed the order since this page was shown
	if (stored !== null && stored.orderKey !== submitted.idempotencyKey) return reload();
	const refuse = (status: number, error: string, change: Partial<PaymentRefusal> = {}, headers?: Headers) =>
		data<PaymentRefusal>(
			{ error, errors: {}, closed: false, hasOther: false, lost: [], now: null, idempotencyKey: submitted.idempotencyKey, ...change },
			{ status, ...(headers && { headers }) },
		);
	const client = context.get(clientContext).key;
	const checkout = { ...submitted, lines: content.lines, client };
	const start = stored === null ? startCheckout(shop, checkout) : startFormCheckout(shop, checkout, stored);
	const started = await start.catch((error: Error) => {
		shop.log.error({ error: describeFault(error) }, "a payment could not be started");
		return { ok: false as const, code: "fault" as const, status: isDatabaseUnavailable(error) ? 503 : 500 };
	});
	// a browser that only has the URL of the form may pay, but sees no more afterwards (docs/rules.md, R215)
	if (started.ok) return redirectToPayment(shop, started.url, isOwn ? { orderId: started.orderId, visit: createVisit() } : null);
	if (started.code === "fault") return refuse(started.status, paymentFailed);
	if (started.code === "form-changed") return reload();
	if (started.code === "already-placed") return redirect(href("/confirmation/:sessionId?", { sessionId: started.sessionId }), 303);
	// its field is on the form
	if (started.code === "email-refused") return redirect(toRefusedEmailUrl(editUrl), 303);
	setRetryAfter(context, started);
	const { status, sentence } = describeCheckoutRefusal(started);
	const isChanged = started.code === "wrong-amount" || started.code === "later-hour";
	const shown = isChanged ? await describePayment({ ...shop, readSales: () => readSalesNow(shop) }, content, true) : null;
	const closed = started.code === "closed" || started.code === "full";
	const isOfList = started.code === "unorderable" && content.lines.length > 1;
	return refuse(
		isOfList ? 409 : status,
		sentence,
		{
			closed,
			hasOther: closed && isAnyOpen(await shop.readSales()),
			errors: started.code === "invalid-fields" ? started.errors : {},
			lost: isOfList ? describeLost(started.lines) : [],
			now: shown && { totals: shown.totals, deadlines: shown.deadlines },
			// a form whose purchase has failed has another key by now
			...("orderKey" in started && { idempotencyKey: started.orderKey }),
		},
		// the purchase is placed: this browser may pay it by the link of the reminder
		"orderId" in started && isOwn ? await createConfirmationCookies(shop, started.orderId, createVisit()) : undefined,
	);
}

export default function PaymentRoute({ loaderData, actionData }: Route.ComponentProps) {
	if (loaderData.state === "nothing") return <NoPaymentPage {...loaderData} />;
	// a form that changed in another tab has another key, and its page starts again
	return <PaymentPage key={loaderData.formVersion} {...loaderData} refusal={actionData} />;
}
