import type { Context } from "../../../server/runtime.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { createDocumentPath } from "../../orders/keys.server.ts";
import { isCancelled } from "../../orders/lifecycle.ts";
import { isDownloadable, type Order } from "../../orders/order.ts";
import {
	listOpenDocuments,
	listOrders,
	listOrderYears,
	listPurchases,
	type OpenDocument,
	type PurchaseFilter,
} from "./purchases.store.server.ts";

const purchasesPerPage = 20;

export type DescribedPurchases = Awaited<ReturnType<typeof describePurchases>>;
export type DescribedPurchase = DescribedPurchases["purchases"][number];
export type DescribedLine = DescribedPurchase["lines"][number];

type SpaceContext = Pick<Context, "db" | "signer" | "now">;

/** The purchases of a mailbox, the newest first. @param page from 1. */
export async function describePurchases(context: SpaceContext, mailbox: string, filter: PurchaseFilter, page: number) {
	const { db } = context;
	const [{ found, total }, years] = await Promise.all([
		listPurchases(db, mailbox, filter, { limit: purchasesPerPage, offset: (page - 1) * purchasesPerPage }),
		listOrderYears(db, mailbox),
	]);
	const orders = await listOrders(
		db,
		mailbox,
		found.map(({ id }) => id),
	);
	const documents = await listOpenDocuments(
		db,
		orders.map(({ id }) => id),
	);
	const purchases = found.map(({ id, matching }) =>
		describeListedPurchase(
			context,
			orders.filter(({ purchase_id }) => purchase_id === id),
			{ documents, matching },
		),
	);
	return { purchases, total, years, page, lastPage: Math.max(1, Math.ceil(total / purchasesPerPage)) };
}

/** More matching lines than these are looked for among all lines. */
const maxFoundLines = 10;

function describeListedPurchase(
	context: SpaceContext,
	orders: readonly Order[],
	{ documents, matching }: { documents: readonly OpenDocument[]; matching: readonly string[] },
) {
	const sum = (amounts: readonly number[]) => formatEuros(cents(amounts.reduce((total, amount) => total + amount, 0)));
	const refunded = orders.map(({ refunded_cents }) => refunded_cents);
	const describe = (order: Order) => describeLine(context, order, documents);
	const isNarrowed = matching.length < orders.length && matching.length <= maxFoundLines;
	return {
		lines: orders.map(describe),
		/** Those that the search found, where it found some of the lines. */
		foundLines: isNarrowed ? orders.filter(({ id }) => matching.includes(id)).map(describe) : [],
		orderedOn: formatLongDay(orders[0]?.created_at ?? context.now()),
		price: sum(orders.map(({ price_cents }) => price_cents)),
		refunded: refunded.some((amount) => amount > 0) ? sum(refunded) : null,
	};
}

function describeLine(context: SpaceContext, order: Order, documents: readonly OpenDocument[]) {
	const link = ({ id }: OpenDocument) => createDocumentPath(context, id);
	const shown = documents.filter(({ orderId, type }) => orderId === order.id && isDownloadable(order, { doc_type: type, purged_at: null }));
	return {
		number: order.order_number,
		siren: order.siren,
		company: order.company_name,
		service: services[order.product_code].name,
		reference: order.reference,
		price: formatEuros(order.price_cents),
		status: order.status,
		cancelled: isCancelled(order),
		extract: shown.filter(({ type }) => type === "kbis").map(link)[0] ?? null,
		invoices: shown.flatMap((document) =>
			document.number === null ? [] : [{ number: document.number, isCredit: document.type === "credit_note", url: link(document) }],
		),
	};
}
