import { z } from "zod";
import { describeOrder } from "../../customer/tracking/describe-order.server.ts";
import { searchOrder } from "../../customer/tracking/search-order.server.ts";
import { trackingSentences } from "../../customer/tracking/tracking-form.ts";
import { maxEmailLength } from "../../mail/email-address.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { shopContext } from "../../shop.ts";
import { apiError, readJson, refuseGet } from "../../web/http.ts";
import type { Route } from "./+types/track-order";

const body = z.object({ email: z.string().max(maxEmailLength), orderId: z.string().max(64) });

/** `{email, orderId}` → `{order, documents, events}`; the same 404 when either is wrong. */
export async function action({ request, context }: Route.ActionArgs) {
	if (request.method !== "POST") return refuseGet();
	const parsed = body.safeParse(await readJson(request));
	if (!parsed.success || parsed.data.email.trim() === "" || parsed.data.orderId.trim() === "")
		return apiError(400, trackingSentences.incomplete);
	const found = await searchOrder(context, readEmail(parsed.data.email), parsed.data.orderId);
	if (!found.ok) return apiError(found.status, found.sentence);
	const { order, documents, events } = await describeOrder(context.get(shopContext), found.order, found.access);
	return Response.json({ order, documents, events }, { headers: { "cache-control": "no-store" } });
}

export const loader = refuseGet;
