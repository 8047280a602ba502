import type { RouterContextProvider } from "react-router";
import type { Order } from "../orders/order.ts";
import { clientContext, shopContext } from "../shop.ts";
import { setRetryAfter } from "../web/http.ts";
import { trackOrder } from "./track-order.server.ts";
import { trackingRefusals } from "./tracking-form.ts";

/** Runs trackOrder for a request: a refusal has a status and a sentence, and sets Retry-After. */
export async function searchOrder(
	context: Readonly<RouterContextProvider>,
	email: string,
	reference: string,
): Promise<{ ok: true; order: Order } | { ok: false; status: number; sentence: string }> {
	const found = await trackOrder(context.get(shopContext), { email, reference, client: context.get(clientContext).key });
	setRetryAfter(context, found);
	return found.ok ? found : { ok: false, ...trackingRefusals[found.code] };
}
