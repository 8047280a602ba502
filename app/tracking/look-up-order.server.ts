import type { RouterContextProvider } from "react-router";
import type { Order } from "../orders/order.ts";
import { clientContext, shopContext } from "../shop.ts";
import { setRetryAfter } from "../web/http.ts";
import { trackOrder } from "./track-order.server.ts";
import { trackingSentences } from "./tracking-form.ts";

/** Finds an order by the e-mail and number that a request brings. A refusal has its status and its sentence; Retry-After is set. */
export async function lookUpOrder(
	context: Readonly<RouterContextProvider>,
	email: string,
	reference: string,
): Promise<{ ok: true; order: Order } | { ok: false; status: 404 | 429; sentence: string }> {
	const found = await trackOrder(context.get(shopContext), { email, reference, client: context.get(clientContext).key });
	setRetryAfter(context, found);
	if (found.ok) return found;
	if (found.reason === "limited") return { ok: false, status: 429, sentence: trackingSentences.limited };
	return { ok: false, status: 404, sentence: trackingSentences.notFound };
}
