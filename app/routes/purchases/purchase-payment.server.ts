import { data, href, type RouterContextProvider, redirect } from "react-router";
import { isDatabaseUnavailable } from "../../../server/database/database.ts";
import { describeFault } from "../../../server/observability/log.ts";
import { describeCards } from "../../catalogue/means-of-payment.ts";
import { describePaymentNotices } from "../../order-form/form-notices.ts";
import type { OpenedForm } from "../../order-form/order-forms.server.ts";
import { describeCheckoutRefusal, paymentFailed } from "../../payments/checkout/checkout-sentences.ts";
import { readPaymentForm } from "../../payments/checkout/payment-form.server.ts";
import { describeLostLine, readPurchasePayment } from "../../payments/checkout/purchase-payment.server.ts";
import { startPurchaseCheckout } from "../../payments/checkout/start-purchase-checkout.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { createConfirmationCookies } from "../../tracking/confirmation/confirmation-access.server.ts";
import { redirectToPayment } from "../../tracking/redirect-to-payment.server.ts";
import { setRetryAfter } from "../../web/http.ts";

type RouteContext = Readonly<RouterContextProvider>;

/** The payment page of a stored form of several orders; one that was not sent yet goes back to its form. */
export async function showPurchasePayment(context: RouteContext, form: OpenedForm, changed: boolean) {
	const shop = context.get(shopContext);
	const editUrl = `${href("/commande/plusieurs")}?commande=${form.token}`;
	const payment = await readPurchasePayment(shop, form);
	if (payment === null) throw redirect(editUrl, 303);
	return data({
		state: "purchase" as const,
		...payment,
		editUrl,
		asksConsents: !form.fields.acceptTerms,
		formVersion: form.orderKey,
		idempotencyKey: form.orderKey,
		notices: describePaymentNotices(form, changed),
		cards: describeCards(shop.provider.name),
	});
}

/** Handles « Finaliser ma commande » of several orders. */
export async function payPurchase(context: RouteContext, form: OpenedForm, submitted: FormData) {
	const shop = context.get(shopContext);
	const { values, amount, consents, idempotencyKey } = readPaymentForm(new URLSearchParams(form.fields), submitted);
	const reload = () => redirect(`${href("/paiement")}?commande=${form.token}&modifiee=1`, 303);
	// another tab has changed the form since this page was shown
	if (form.orderKey !== idempotencyKey) return reload();
	const client = context.get(clientContext).key;
	const started = await startPurchaseCheckout(shop, { values, amount, consents, client }, form).catch((error: Error) => {
		shop.log.error({ error: describeFault(error) }, "a payment could not be started");
		return { ok: false as const, code: "fault" as const, status: isDatabaseUnavailable(error) ? 503 : 500 };
	});
	const empty = { errors: {}, closed: false, idempotencyKey, lost: [] as string[] };
	// a browser that only has the URL of the form may pay, but sees no more afterwards (docs/rules.md, R215)
	if (started.ok) return redirectToPayment(shop, started.url, form.isOwn ? started.orderId : null);
	if (started.code === "fault") return data({ ...empty, error: paymentFailed }, { status: started.status });
	if (started.code === "form-changed") return reload();
	if (started.code === "already-placed") return redirect(href("/confirmation/:sessionId?", { sessionId: started.sessionId }), 303);
	setRetryAfter(context, started);
	const refusal = { ...empty, idempotencyKey: started.orderKey };
	if (started.code === "unorderable")
		return data({ ...refusal, error: paymentFailed, lost: started.lines.map(describeLostLine) }, { status: 409 });
	if (started.code === "invalid-fields") {
		const [error = paymentFailed] = Object.values(started.errors);
		return data({ ...refusal, error, errors: started.errors }, { status: 400 });
	}
	const { status, sentence } = describeCheckoutRefusal(started, values);
	// the orders are placed: this browser may pay them by the link of the reminder
	const headers = "orderId" in started && form.isOwn ? await createConfirmationCookies(shop, started.orderId) : undefined;
	return data({ ...refusal, error: sentence }, { status, ...(headers && { headers }) });
}
