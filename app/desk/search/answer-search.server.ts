import { type RouterContextProvider, redirect } from "react-router";
import { runRecorded } from "../../desk-log/desk-log.server.ts";
import { isCancelled } from "../../orders/lifecycle.ts";
import { findPurchasesOfSeveral, type Purchase } from "../../orders/orders.server.ts";
import { shopContext } from "../../shop.ts";
import { describePlace } from "../purchase/describe-purchase.ts";
import { getOrderPath } from "../shell/order-path.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { FoundRow, SearchAnswer } from "./found-orders.ts";
import type { FoundOrder } from "./search.store.server.ts";
import { searchOrders } from "./search-orders.server.ts";

/** Characters that are searched. */
const maxTyped = 200;

/**
 * Answers the search's form, which is sent by POST: what was typed is personal data and stands in no URL. Each search is a line of the
 * trail, without what was typed. @returns a redirect when a number names one order that the operator may open.
 */
export async function answerSearch({
	request,
	context,
}: {
	request: Request;
	context: Readonly<RouterContextProvider>;
}): Promise<SearchAnswer | Response> {
	const shop = context.get(shopContext);
	const actor = getActor(context);
	const typed = String((await readDeskForm(request)).get("q") ?? "").slice(0, maxTyped);
	const what = { verb: "bureau\u00a0: Rechercher", subject: null, who: actor.name, operatorId: actor.id, origin: actor.origin };
	const outcome = await runRecorded(shop, what, async () => {
		const found = await searchOrders(shop.db, typed);
		return { ...found, after: { found: found.ok ? found.orders.length : 0 } };
	});
	if (!outcome.ok) return { typed, state: "too-short" };
	const purchases = await findPurchasesOfSeveral(
		shop.db,
		outcome.orders.map(({ purchase_id }) => purchase_id),
	);
	const rows = outcome.orders.map((order) => ({
		...toRow(order, purchases.get(order.purchase_id)),
		path: getOrderPath(order.order_number, actor.roles),
	}));
	const named = rows.find(({ id }) => id === outcome.exact?.id)?.path;
	return named ? redirect(named) : { typed, state: "found", rows, more: outcome.more };
}

const toRow = (order: FoundOrder, purchase: Purchase | undefined): Omit<FoundRow, "path"> => ({
	id: order.id,
	number: order.order_number,
	service: order.product_code,
	status: order.status,
	isCancelled: isCancelled(order),
	company: order.company_name,
	siren: order.siren,
	reference: order.reference,
	purchase: describePlace(purchase, order),
	customer: order.customer_name,
	createdAt: order.created_at.toISOString(),
});
