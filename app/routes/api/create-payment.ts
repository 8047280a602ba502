import { z } from "zod";
import { isIdempotencyKey } from "../../forms/text.ts";
import { orderFields, readOrderValues } from "../../order-form/order-form.ts";
import { startCheckout } from "../../payments/start-checkout.server.ts";
import { clientContext, retryAfterContext, shopContext } from "../../shop.ts";
import { apiError, postOnly, readJson } from "../../web/http.ts";
import type { Route } from "./+types/create-payment";

const text = z
	.string()
	.max(1000)
	.nullish()
	.transform((value) => value ?? "");
const body = z.object({
	orderData: z.object({ siren: text, serviceType: text, amount: z.number(), deliveryMethod: text }),
	customerData: z.object({
		email: text,
		firstName: text,
		lastName: text,
		phone: text,
		address: text,
		postalCode: text,
		city: text,
		company: text,
		deliveryEmail: text,
		newsletter: z.boolean().nullish(),
	}),
	consents: z.object({ terms: z.boolean(), waiveWithdrawal: z.boolean(), textVersion: z.string().regex(/^[\w.-]{1,40}$/) }).nullish(),
});

/** `{orderData, customerData, consents?}` → `{url}` of the payment page, or `{error}`. */
export async function action({ request, context }: Route.ActionArgs) {
	if (request.method !== "POST") return postOnly();
	const idempotencyKey = request.headers.get("idempotency-key") || null;
	if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
		return apiError(400, "L’en-tête Idempotency-Key accepte 200 caractères au plus, sans accents.");
	const parsed = body.safeParse(await readJson(request));
	if (!parsed.success) return apiError(400, "La demande est mal formée.");
	const { orderData, customerData, consents } = parsed.data;
	const fields = {
		...customerData,
		siren: orderData.siren,
		service: orderData.serviceType,
		newsletter: customerData.newsletter ? "on" : "",
	};
	const given = new URLSearchParams(
		orderFields.map((field) => [field, field in fields ? String(fields[field as keyof typeof fields]) : ""]),
	);
	const started = await startCheckout(context.get(shopContext), {
		values: readOrderValues(given),
		amount: orderData.amount,
		deliveryMethod: orderData.deliveryMethod,
		consents: consents ?? null,
		idempotencyKey,
		client: context.get(clientContext).key,
	});
	if (!started.ok && started.status === 429) context.set(retryAfterContext, started.retryAfter);
	if (!started.ok) return apiError(started.status, started.error);
	return Response.json({ url: started.url }, { headers: { "cache-control": "no-store" } });
}

export const loader = postOnly;
