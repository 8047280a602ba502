import type { RouterContextProvider } from "react-router";
import { getKeyOfPair } from "../orders/access.ts";
import type { Order } from "../orders/order.ts";
import { clientContext, shopContext } from "../shop.ts";
import { setRetryAfter } from "../web/http.ts";
import { trackOrder } from "./track-order.server.ts";
import { trackingRefusals } from "./tracking-form.ts";

/** Runs trackOrder for a request: the order with its key; or a refusal with a status and a sentence, which sets Retry-After. */
export async function searchOrder(
	context: Readonly<RouterContextProvider>,
	email: string,
	reference: string,
): Promise<{ ok: true; order: Order; access: "purchase" | "line" } | { ok: false; status: number; sentence: string }> {
	const found = await trackOrder(context.get(shopContext), { email, reference, client: context.get(clientContext).key });
	setRetryAfter(context, found);
	return found.ok ? { ...found, access: getKeyOfPair(found.order) } : { ok: false, ...trackingRefusals[found.code] };
}
