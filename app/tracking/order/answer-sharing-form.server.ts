import { data, type RouterContextProvider, redirect } from "react-router";
import { readLine } from "../../forms/text.ts";
import { createShare } from "../../sharing/create-share.server.ts";
import { toSharedUrl } from "../../sharing/describe-sharing.server.ts";
import { endShare } from "../../sharing/end-share.server.ts";
import { describeRefusedShare } from "../../sharing/share-form-errors.ts";
import { shopContext } from "../../shop.ts";
import { setRetryAfter } from "../../web/http.ts";
import { refuseAccess } from "../refuse-access.server.ts";
import type { TrackedOrder } from "../tracking-access.server.ts";

/** Answers « Créer le lien » and « Retirer ce lien ». @param back the page of the order. */
export async function answerSharingForm(
	context: Readonly<RouterContextProvider>,
	{ order, access }: Pick<TrackedOrder, "order" | "access">,
	{ form, back }: { form: FormData; back: string },
) {
	const shop = context.get(shopContext);
	if (form.get("intent") === "revoke-share") {
		if (!(await endShare(shop, order, access, readLine(form.get("share"))))) return refuseAccess(access);
		return redirect(toSharedUrl(back, "retire"), 303);
	}
	const read = (name: string) => readLine(form.get(name)).slice(0, 300);
	const typed = { label: read("label"), days: read("days"), code: read("code") };
	const made = await createShare(shop, order, access, typed);
	if (!made.ok && made.code === "no-access") return refuseAccess(access);
	if (made.ok) return redirect(toSharedUrl(back, "cree"), 303);
	setRetryAfter(context, made);
	const { status, refused } = describeRefusedShare(made, typed);
	return data(refused, { status });
}
