import { handleEvent } from "../../payments/handle-event.server.ts";
import { shopContext } from "../../shop.ts";
import { apiError, readText, refuseGet } from "../../web/http.ts";
import type { Route } from "./+types/stripe-webhook";

const sentences = { 400: "Signature absente ou invalide.", 500: "L’événement n’a pas pu être traité\u00a0: renvoyez-le." } as const;

/** Receives the payment provider's events. The signature covers the raw body. */
export async function action({ request, context }: Route.ActionArgs) {
	if (request.method !== "POST") return refuseGet();
	const status = await handleEvent(context.get(shopContext), await readText(request), request.headers.get("stripe-signature") ?? undefined);
	return status === 200 ? Response.json({ received: true }) : apiError(status, sentences[status]);
}

export const loader = refuseGet;
