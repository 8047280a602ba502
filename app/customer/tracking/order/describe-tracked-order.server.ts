import { findNextOpening } from "../../../catalogue/opening-hours.ts";
import { isPosted } from "../../../catalogue/services.ts";
import { announceArrival } from "../../../catalogue/transit.ts";
import { formatAddressLines } from "../../../companies/addresses/address-lines.ts";
import { nameExtract } from "../../../emails/email-parts.ts";
import { findOrderedCompany, isSoleTrader } from "../../../emails/name-document.server.ts";
import { findRequest } from "../../../fulfilment/extract-requests.store.server.ts";
import { type AccessKey, getKeyOfPair, mayAsk } from "../../../orders/access.ts";
import { listDocumentsById, listExtracts } from "../../../orders/documents/documents.store.server.ts";
import { getLetterAddress } from "../../../orders/letter-address.ts";
import { isInProgress, mayChange } from "../../../orders/lifecycle.ts";
import type { Order } from "../../../orders/order.ts";
import { listOrdersOfPurchase, listPostings } from "../../../orders/orders.store.server.ts";
import { describeOrderWatch } from "../../../orders/watch/describe-watch.server.ts";
import type { Shop } from "../../../shop.ts";
import { describeSharing } from "../../sharing/describe-sharing.server.ts";
import { describeCorrected } from "../addresses/address-sentences.ts";
import { isLetterAwaited } from "../addresses/correct-letter.server.ts";
import { describeAddresses, listAddresses } from "../addresses/describe-addresses.server.ts";
import type { LetterFormProps } from "../addresses/letter-form.tsx";
import { toLetterValues } from "../addresses/letter-sentences.ts";
import { type DescribedOrder, describeOrder } from "../describe-order.server.ts";
import { describeCorrectedInvoice } from "../invoice-correction/describe-corrected-invoice.server.ts";
import type { OrderPromiseProps } from "./order-promise.tsx";

/** An order after its payment was synced with the provider. `payable`: the page may offer to pay it. */
export interface RefreshedOrder {
	order: Order;
	payable: boolean;
}

/** An order as both its confirmation and its own page show it. */
export async function describeOrderPage(shop: Shop, request: Request, { order, payable }: RefreshedOrder, access: AccessKey) {
	const described = await describeOrder(shop, order, access);
	const wait = await describeWait(shop, order, access);
	const orders = await listOrdersOfPurchase(shop.db, order.purchase_id);
	const ids = orders.map(({ id }) => id);
	const extracts = await listExtracts(shop.db, ids);
	const letter = describeLetter(order, access);
	return {
		...described,
		...wait,
		isOneOfSeveral: orders.length > 1,
		/** Its place in its purchase; null when it was bought alone, and for readers of this order only. */
		purchase: mayAsk(access, "read-purchase") ? describePlace(order, orders) : null,
		/** « extrait Kbis », « extrait K » */
		extractName: nameExtract({ soleTrader: isSoleTrader(await findOrderedCompany(shop.db, order)) }),
		addresses: describeAddresses(order, { access, orders, extracts, events: described.events }),
		letter,
		arrival: announceLetter(order, (await listPostings(shop.db, [order.id])).get(order.id), access),
		/** What the notice of a correction says; null without one. */
		corrected: mayAsk(access, "correct-addresses")
			? describeCorrected(request, {
					...{ events: described.events, sentTo: orders.length > 1 ? listAddresses([order, ...orders], access) : wait.sentTo, letter },
					...{ several: orders.length > 1, now: shop.now() },
				})
			: null,
		letterTo: await describeLetterForm(shop, order, access),
		payable: payable && mayAsk(access, "resume"),
		/** Whether the page is live. */
		mayChange: mayChange(order) || described.refundAwaited !== null || described.invoiceAwaited,
		/** What was published since the extract; null while nothing can be said. */
		watch: await describeOrderWatch(shop.db, order, shop.now()),
		/** Whether the customer asked for no more e-mails about it. */
		watchEnded: order.watch_ended_at !== null,
	};
}

export type TrackedOrderData = Awaited<ReturnType<typeof describeTrackedOrder>>;

/** An order as its own page shows it, with its place in its purchase. */
export async function describeTrackedOrder(shop: Shop, request: Request, refreshed: RefreshedOrder, access: AccessKey) {
	const page = await describeOrderPage(shop, request, refreshed, access);
	const { order } = refreshed;
	return {
		...page,
		documentBytes: await listDocumentBytes(shop.db, page),
		/** The number that is asked for with the customer's address, and whether both open the invoices too. */
		pair: describePair(order, page.purchase),
		/** The customer's own. */
		reference: mayAsk(access, "read-reference") ? order.reference : null,
		/** The hash of the terms of sale under which it was placed. */
		termsVersion: order.terms_sha256,
		/** What the notice of a corrected invoice says; null without one. */
		correctedInvoice: await describeCorrectedInvoice(shop, request, order, access),
		sharing: await describeSharing(shop, request, order, access),
		access,
	};
}

/** Where the letter of an order goes, for who may still correct it; null for others, and once it is posted. */
async function describeLetterForm({ db }: Shop, order: Order, access: AccessKey): Promise<LetterFormProps["letterTo"] | null> {
	if (!mayAsk(access, "correct-addresses") || !isLetterAwaited(order)) return null;
	const request = await findRequest(db, order.id);
	return request?.printed_at ? "printed" : toLetterValues(getLetterAddress(order));
}

/** @returns the lines of recipient and address of a letter, for its customer only; null for an order by e-mail, and for other readers. */
export function describeLetter(order: Order, access: AccessKey): string[] | null {
	if (!mayAsk(access, "read-addresses") || !isPosted(order.product_code)) return null;
	const { name, complement, address, postalCode, city } = getLetterAddress(order);
	return formatAddressLines({ name, complement, street: address, postalCode, city });
}

/**
 * When the letter of an order arrives: from the day on which it was posted, or from the promised one while that is awaited. Null for an order
 * by e-mail, and for who does not see its address.
 */
export function announceLetter(order: Order, postedAt: Date | undefined, access: AccessKey): string | null {
	if (!mayAsk(access, "read-addresses") || !isPosted(order.product_code)) return null;
	const posted = postedAt ?? (isInProgress(order.status) && order.late_at === null ? order.promised_at : null);
	return posted && announceArrival(posted, getLetterAddress(order).postalCode);
}

/** The addresses and the clock that an order's pages show while its delivery is awaited. The addresses are masked for other readers. */
async function describeWait(shop: Shop, order: Order, access: AccessKey): Promise<Pick<OrderPromiseProps, "sentTo" | "clock">> {
	const nextOpening = await readNextOpening(shop);
	return {
		sentTo: listAddresses([order], access),
		clock: { now: shop.now().toISOString(), nextOpening: nextOpening?.toISOString() ?? null },
	};
}

/**
 * When a person can ask the registry: at the next opening, with days off and closures; null while the shop is open, and for the demo's
 * issuer, which asks at any hour.
 */
export async function readNextOpening({
	now,
	readSales,
	environment,
}: Pick<Shop, "now" | "readSales" | "environment">): Promise<Date | null> {
	if (environment.issuer === "specimen") return null;
	const { calendar } = await readSales();
	return findNextOpening(now(), calendar);
}

function describePlace({ purchase_line }: Order, orders: readonly Order[]) {
	const [first] = orders;
	if (first === undefined || orders.length < 2) return null;
	return { number: first.order_number, line: purchase_line, lines: orders.length };
}

function describePair(order: Order, purchase: ReturnType<typeof describePlace>) {
	return { number: purchase?.number ?? order.order_number, opensInvoices: purchase !== null || getKeyOfPair(order) === "purchase" };
}

/** The size of each document, by its id. Not part of the described documents, whose shape the API documents. */
async function listDocumentBytes(db: Shop["db"], { documents }: Pick<DescribedOrder, "documents">): Promise<Record<string, number>> {
	const stored = await listDocumentsById(
		db,
		documents.map(({ id }) => id),
	);
	return Object.fromEntries(stored.map(({ id, bytes }) => [id, bytes]));
}
