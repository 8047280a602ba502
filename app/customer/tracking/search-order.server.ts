import { data, type RouterContextProvider } from "react-router";
import { maxEmailLength } from "../../mail/email-address.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { getKeyOfPair } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { readLine } from "../../ui/forms/text.ts";
import { logFault, setRetryAfter } from "../../web/http.ts";
import { destinationField } from "./page-parts.ts";
import { trackOrder } from "./track-order.server.ts";
import { openTracking } from "./tracking-access.server.ts";
import { checkTrackingForm, trackingRefusals, trackingSentences } from "./tracking-form.ts";

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

/** Handles the form of `/suivi-commande`: opens the order, or shows the form again with an error. */
export async function answerSearch(context: Readonly<RouterContextProvider>, form: FormData) {
	const shop = context.get(shopContext);
	const email = readEmail(form.get("email")).slice(0, maxEmailLength);
	const reference = readLine(form.get("orderId")).slice(0, 254);
	const destination = readLine(form.get(destinationField)).slice(0, 254);
	const refuse = (status: number, error: string) => data({ error, email, reference, destination }, { status });

	const error = checkTrackingForm(email, reference);
	if (error) return refuse(400, error);
	const found = await searchOrder(context, email, reference).catch(logFault(shop, "an order could not be looked up"));
	if (found === null) return refuse(500, trackingSentences.fault);
	return found.ok ? openTracking(shop, found.order, destination) : refuse(found.status, found.sentence);
}
