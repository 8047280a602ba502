import { listDocumentsById } from "../../documents/documents.server.ts";
import { describeOrderWatch } from "../../extract-watch/describe-watch.server.ts";
import { findOrderedCompany, isSoleTrader } from "../../order-emails/name-document.server.ts";
import { mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase } from "../../orders/orders.server.ts";
import { findOrderToShow } from "../../payments/checkout/resume-payment.server.ts";
import { describeSharing } from "../../sharing/describe-sharing.server.ts";
import type { Shop } from "../../shop.ts";
import { describeCorrected } from "../addresses/corrected-notice.ts";
import { describeAddresses } from "../addresses/describe-addresses.server.ts";
import { type DescribedOrder, describeOrder } from "../describe-order.server.ts";
import type { TrackedOrder } from "../tracking-access.server.ts";
import { describeLetter, describeWait } from "./describe-wait.server.ts";

export type TrackedOrderData = NonNullable<Awaited<ReturnType<typeof describeTrackedOrder>>>;

/** An order as its tracking page shows it, after syncing its payment with the provider. */
export async function describeTrackedOrder(shop: Shop, request: Request, { order, access }: TrackedOrder) {
	const refreshed = await findOrderToShow(shop, order.id);
	if (refreshed === null) return null;
	const described = await describeOrder(shop, refreshed.order, access);
	const wait = await describeWait(shop, refreshed.order, access);
	const addresses = describeAddresses(refreshed.order, access);
	return {
		...described,
		...wait,
		extractName: isSoleTrader(await findOrderedCompany(shop.db, refreshed.order)) ? "Extrait K" : "Extrait Kbis",
		addresses,
		letter: describeLetter(refreshed.order, access),
		documentBytes: await listDocumentBytes(shop.db, described),
		corrected: addresses && describeCorrected(request, { events: described.events, sentTo: wait.sentTo, now: shop.now() }),
		payable: refreshed.payable && mayAsk(access, "resume"),
		purchase: mayAsk(access, "read-purchase") ? await describePlace(shop.db, refreshed.order) : null,
		/** The customer's own. */
		reference: mayAsk(access, "read-reference") ? refreshed.order.reference : null,
		watch: await describeOrderWatch(shop.db, refreshed.order, shop.now()),
		watchEnded: refreshed.order.watch_ended_at !== null,
		/** The hash of the terms of sale under which it was placed. */
		termsVersion: refreshed.order.terms_sha256,
		sharing: await describeSharing(shop, request, refreshed.order, access),
		access,
	};
}

/** The place of an order in its purchase; null when it was bought alone. */
async function describePlace(db: Shop["db"], { purchase_id, purchase_line }: Order) {
	const orders = await listOrdersOfPurchase(db, purchase_id);
	const [first] = orders;
	if (first === undefined || orders.length < 2) return null;
	return { number: first.order_number, line: purchase_line, lines: orders.length };
}

/** The size of each document, by its id. Not part of the described documents, whose shape the API documents. */
async function listDocumentBytes(db: Shop["db"], { documents }: Pick<DescribedOrder, "documents">): Promise<Record<string, number>> {
	const stored = await listDocumentsById(
		db,
		documents.map(({ id }) => id),
	);
	return Object.fromEntries(stored.map(({ id, bytes }) => [id, bytes]));
}
