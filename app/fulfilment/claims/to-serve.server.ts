import { sql } from "kysely";
import { literals } from "../../../server/database/database.ts";
import { inProgressStatuses } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";

/**
 * SQL conditions on `orders`, for the queue and for the next order. An open order waits for its extract, or for the post, or for a
 * person's decision: then nobody should buy its extract.
 */
export const isOpen = sql<boolean>`orders.status in (${literals(inProgressStatuses)})`;

/** The bank decides first, or all of the money went back though the order was not late: perhaps nothing is owed any more. */
export const isBlocked = sql<boolean>`(orders.disputed_at is not null or orders.refunded_cents >= orders.price_cents and orders.late_at is null)`;

/** The same, for an order that was read. */
export const isOrderBlocked = (order: Pick<Order, "disputed_at" | "refunded_cents" | "price_cents" | "late_at">): boolean =>
	order.disputed_at !== null || (order.refunded_cents >= order.price_cents && order.late_at === null);

/** Someone should obtain the extract now. For counting: conditions that PostgreSQL can turn into joins, so no « or ». */
export const isToServe = sql<boolean>`(
	${isOpen} and not ${isBlocked}
	and not exists (select from extract_requests where extract_requests.order_id = orders.id and extract_requests.uploaded_at is not null)
	and not exists (select from extract_requests where extract_requests.order_id = orders.id and extract_requests.not_found_at is not null)
	and not exists (
		select from documents where documents.order_id = orders.id and documents.doc_type = 'kbis' and documents.replaced_at is null))`;

/**
 * The same, checked order by order: a page that stops after a few orders of the index
 * reads the rows of these only. PostgreSQL expects half of the orders to pass such a condition, and therefore uses the index.
 */
export const isNextToServe = sql<boolean>`(
	${isOpen} and not ${isBlocked}
	and not coalesce((select extract_requests.uploaded_at is not null or extract_requests.not_found_at is not null
		from extract_requests where extract_requests.order_id = orders.id), false)
	and not coalesce((select true from documents
		where documents.order_id = orders.id and documents.doc_type = 'kbis' and documents.replaced_at is null), false))`;

/** The instant by which the queue sorts. Never null; has the index `orders_open`. */
export const dueAt = sql<Date>`coalesce(orders.promised_at, orders.created_at)`;

/** Sorts express before the others at the same instant. */
export const isNotExpress = sql<boolean>`(orders.product_code <> 'express')`;
