import { data, type RouterContextProvider, redirect } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { readLine } from "../../forms/text.ts";
import type { Order } from "../../orders/order.ts";
import { createShare } from "../../sharing/create-share.server.ts";
import { toSharedUrl } from "../../sharing/describe-sharing.server.ts";
import { describeRefusedShare } from "../../sharing/share-form-errors.ts";
import { revokeShare } from "../../sharing/shares.server.ts";
import { shopContext } from "../../shop.ts";
import { setRetryAfter } from "../../web/http.ts";

/** Answers « Créer le lien » and « Retirer ce lien ». @param back the page of the order. */
export async function answerSharingForm(
	context: Readonly<RouterContextProvider>,
	order: Order,
	{ form, back }: { form: FormData; back: string },
) {
	const shop = context.get(shopContext);
	if (form.get("intent") === "revoke-share") {
		const id = readLine(form.get("share"));
		if (isUuid(id)) await revokeShare(shop.db, { id, orderId: order.id, now: shop.now() });
		return redirect(toSharedUrl(back, "retire"), 303);
	}
	const read = (name: string) => readLine(form.get(name)).slice(0, 300);
	const typed = { label: read("label"), days: read("days"), code: read("code") };
	const made = await createShare(shop, order, typed);
	if (made.ok) return redirect(toSharedUrl(back, "cree"), 303);
	setRetryAfter(context, made);
	const { status, refused } = describeRefusedShare(made, typed);
	return data(refused, { status });
}
