import { parseServiceCode, services } from "../../catalogue/services.ts";
import { describeCheckoutRefusal, wrongDelivery } from "../../checkout/payment/checkout-sentences.ts";
import { parsePaymentCall } from "../../checkout/payment/payment-call.server.ts";
import { startCheckout } from "../../checkout/payment/start-checkout.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { isIdempotencyKey } from "../../ui/forms/text.ts";
import { apiError, readJson, refuseGet, setRetryAfter } from "../../web/http.ts";
import type { Route } from "./+types/create-payment";

/** `{orderData, customerData, consents?}` → `{url}` of the payment page, or `{error}`. */
export async function action({ request, context }: Route.ActionArgs) {
	if (request.method !== "POST") return refuseGet();
	const idempotencyKey = request.headers.get("idempotency-key") || null;
	if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
		return apiError(400, "L’en-tête Idempotency-Key accepte 200 caractères au plus, sans accents.");
	const call = parsePaymentCall(await readJson(request));
	if (call === null) return apiError(400, "La demande est mal formée.");
	const { deliveryMethod, ...order } = call;
	const service = parseServiceCode(order.values.service);
	if (service !== null && deliveryMethod !== services[service].deliveryMethod) return apiError(400, wrongDelivery);
	const client = context.get(clientContext).key;
	const started = await startCheckout(context.get(shopContext), { ...order, idempotencyKey, client });
	setRetryAfter(context, started);
	if (!started.ok) {
		const { status, sentence } = describeCheckoutRefusal(started);
		return apiError(status, sentence);
	}
	return Response.json({ url: started.url }, { headers: { "cache-control": "no-store" } });
}

export const loader = refuseGet;
