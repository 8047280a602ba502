import { type RouterContextProvider, redirect } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { isCancelled } from "../../orders/lifecycle.ts";
import { formatPlace, type Purchase } from "../../orders/purchase.ts";
import { findPurchases } from "../../orders/purchases.store.server.ts";
import { shopContext } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import { getOrderPath } from "../shell/order-path.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { FoundRow, SearchAnswer } from "./found-orders.ts";
import { guessQuery } from "./guess-query.server.ts";
import { type FoundOrder, findByNumber, findByWords } from "./search.store.server.ts";

/** Orders shown at most: who needs more types more. */
export const maxFound = 50;

type SearchOutcome =
	| { ok: true; orders: FoundOrder[] /** The order that the typed number names. */; exact: FoundOrder | null; more: boolean }
	| { ok: false; code: "too-short" };

/** Finds orders by what an operator typed: a number, a name, an address, a company. The named one first, then the newest. */
export async function searchOrders({ db, signer }: Pick<Context, "db" | "signer">, typed: string): Promise<SearchOutcome> {
	const guess = guessQuery(typed, signer);
	if (guess === null) return { ok: false, code: "too-short" };
	const [named, worded] = await Promise.all([findByNumber(db, guess), findByWords(db, guess, maxFound + 1)]);
	const others = worded.filter(({ id }) => named.every((order) => order.id !== id));
	const orders = [...named, ...others].slice(0, maxFound);
	return { ok: true, orders, exact: named.length === 1 ? (named[0] ?? null) : null, more: worded.length > maxFound };
}

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
	const outcome = await runRecorded(shop, { verb: "search", actor }, async () => {
		const found = await searchOrders(shop, typed);
		return { ...found, after: { found: found.ok ? found.orders.length : 0 } };
	});
	if (!outcome.ok) return { typed, state: "too-short" };
	const purchases = await findPurchases(
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
	purchase: formatPlace(purchase, order),
	customer: order.customer_name,
	createdAt: order.created_at.toISOString(),
});
