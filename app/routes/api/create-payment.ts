import { isIdempotencyKey } from "../../forms/text.ts";
import { describeCheckoutRefusal } from "../../payments/checkout/checkout-sentences.ts";
import { parsePaymentCall } from "../../payments/checkout/payment-call.server.ts";
import { startCheckout } from "../../payments/checkout/start-checkout.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
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
	const client = context.get(clientContext).key;
	const started = await startCheckout(context.get(shopContext), { ...call, idempotencyKey, client });
	setRetryAfter(context, started);
	if (!started.ok) {
		const { status, sentence } = describeCheckoutRefusal(started, call.values);
		return apiError(status, sentence);
	}
	return Response.json({ url: started.url }, { headers: { "cache-control": "no-store" } });
}

export const loader = refuseGet;
