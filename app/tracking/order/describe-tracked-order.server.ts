import { listDocuments } from "../../documents/documents.server.ts";
import { describeOrderWatch } from "../../extract-watch/describe-watch.server.ts";
import { maskEmail } from "../../mail/mask-email.ts";
import { findOrderedCompany, isSoleTrader } from "../../order-emails/name-document.server.ts";
import type { Order } from "../../orders/order.ts";
import { isBoughtWithOthers, listOrdersOfPurchase } from "../../orders/orders.server.ts";
import { findOrderToShow } from "../../payments/checkout/resume-payment.server.ts";
import { describeSharing } from "../../sharing/describe-sharing.server.ts";
import type { Shop } from "../../shop.ts";
import { describeCorrected } from "../addresses/corrected-notice.ts";
import { describeAddresses } from "../addresses/describe-addresses.server.ts";
import { type DescribedOrder, describeOrder, limitToOrder } from "../describe-order.server.ts";
import type { TrackedOrder } from "../tracking-access.server.ts";
import { describeLetter, describeWait } from "./describe-wait.server.ts";

export type TrackedOrderData = NonNullable<Awaited<ReturnType<typeof describeTrackedOrder>>>;

/** An order as its tracking page shows it, after syncing its payment with the provider. */
export async function describeTrackedOrder(shop: Shop, request: Request, { order, access, opensPurchase }: TrackedOrder) {
	const refreshed = await findOrderToShow(shop, order.id);
	if (refreshed === null) return null;
	const whole = await describeOrder(shop, refreshed.order);
	const described = opensPurchase ? whole : limitToOrder(whole);
	const showEmail = access === "full" ? (email: string) => email : maskEmail;
	const wait = await describeWait(shop, refreshed.order, showEmail);
	const addresses = access === "full" ? describeAddresses(refreshed.order) : null;
	return {
		...(access === "full" ? described : limitToLink(described)),
		...wait,
		extractName: isSoleTrader(await findOrderedCompany(shop.db, refreshed.order)) ? "Extrait K" : "Extrait Kbis",
		addresses,
		letter: describeLetter(refreshed.order, access),
		documentBytes: await listDocumentBytes(shop.db, order.id),
		corrected: addresses && describeCorrected(request, { events: described.events, sentTo: wait.sentTo, now: shop.now() }),
		payable: refreshed.payable,
		purchase: opensPurchase ? await describePlace(shop.db, refreshed.order) : null,
		/** The customer's own. */
		reference: opensPurchase ? refreshed.order.reference : null,
		isLine: access === "full" && !opensPurchase && (await isBoughtWithOthers(shop.db, order)),
		watch: await describeOrderWatch(shop.db, refreshed.order, shop.now()),
		watchEnded: refreshed.order.watch_ended_at !== null,
		sharing: access === "full" ? await describeSharing(shop, request, refreshed.order) : null,
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
async function listDocumentBytes(db: Shop["db"], orderId: string): Promise<Record<string, number>> {
	return Object.fromEntries((await listDocuments(db, orderId)).map(({ id, bytes }) => [id, bytes]));
}

/** Events whose labels name amounts or invoices. */
const moneyEvents = new Set<string>(["refund_requested", "refunded", "disputed", "invoice_corrected"]);

/** Leaves out what the reader of a forwarded e-mail must not see or do: the address, the invoices, and the customer's requests. */
function limitToLink(described: DescribedOrder): DescribedOrder {
	return {
		...described,
		order: { ...described.order, customer_email: maskEmail(described.order.customer_email) },
		documents: described.documents.filter(({ doc_type }) => doc_type === "kbis"),
		events: described.events.filter(({ event_type }) => !moneyEvents.has(event_type)).map((event) => ({ ...event, payload: {} })),
		may: { cancel: false, askForRefund: false, correctInvoice: false },
		invoiceAwaited: false,
	};
}
