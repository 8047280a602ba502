import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { changeNotification, deskSubject } from "../../server/database/changes.ts";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import type { JsonObject, OrderEvents } from "../../server/database/database-types.gen.ts";
import { prepared } from "../../server/database/dialect.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { setContextOrder } from "../../server/observability/request-context.ts";
import { services } from "../catalogue/services.ts";
import { isMailbox } from "../mail/normalize-email.ts";
import { type EventType, type Transition, transitions } from "./lifecycle.ts";
import type { Order, OrderDraft } from "./order.ts";
import { generateOrderNumber, type OrderNumber } from "./order-number.server.ts";

/** The SQL on `orders` and `order_events`. Reading an order puts it into the log context: later lines name it. */

export type OrderEvent = Selectable<OrderEvents> & { event_type: EventType };

/**
 * Inserts the pending orders of a purchase, each with its `created` event, in the order of `drafts`; null when the idempotency key is
 * already taken. The first order holds the key, and its id is the id of the purchase.
 */
export async function insertPurchase(
	trx: Trx,
	drafts: readonly OrderDraft[],
	{ key, requestHash, terms, now }: { key: string | null; requestHash: string; terms: string | null; now: Date },
): Promise<[Order, ...Order[]] | null> {
	const purchaseId = randomUUID();
	const [firstRow, ...otherRows] = drafts.map((draft, index) => ({
		...toRow(draft, now),
		id: index === 0 ? purchaseId : randomUUID(),
		purchase_id: purchaseId,
		purchase_line: index + 1,
		idempotency_key: index === 0 ? key : null,
		request_hash: requestHash,
		terms_sha256: terms,
	}));
	if (firstRow === undefined) throw new Error("a purchase has at least one order");
	const first = await trx
		.insertInto("orders")
		.values(firstRow)
		.onConflict((conflict) => conflict.column("idempotency_key").doNothing())
		.returningAll()
		.executeTakeFirst();
	if (first === undefined) return null;
	const others = otherRows.length === 0 ? [] : await trx.insertInto("orders").values(otherRows).returningAll().execute();
	const orders: [Order, ...Order[]] = [first, ...others.sort(byLine)];
	setContextOrder(first.id);
	const toEvent = ({ id, product_code }: Order) => ({ orderId: id, type: "created", payload: { service: product_code }, now }) as const;
	await recordEvents(trx, orders.map(toEvent));
	return orders;
}

const byLine = (one: Order, other: Order) => one.purchase_line - other.purchase_line;

function toRow(draft: OrderDraft, now: Date) {
	const consentTime = (consent: boolean | undefined) => (consent ? now : null);
	return {
		order_number: generateOrderNumber(),
		status: "pending" as const,
		product_code: draft.service,
		price_cents: services[draft.service].price,
		siren: draft.siren,
		company_name: draft.companyName,
		reference: draft.reference,
		customer_email: draft.email,
		first_name: draft.firstName,
		last_name: draft.lastName,
		phone: draft.phone,
		address: draft.address,
		postal_code: draft.postalCode,
		city: draft.city,
		billing_company: draft.billingCompany,
		billing_siren: draft.billingSiren,
		billing_vat: draft.billingVat,
		delivery_name: draft.deliveryName,
		delivery_complement: draft.deliveryComplement,
		delivery_address: draft.deliveryAddress,
		delivery_postal_code: draft.deliveryPostalCode,
		delivery_city: draft.deliveryCity,
		delivery_email: draft.deliveryEmail,
		newsletter: draft.newsletter,
		terms_accepted_at: consentTime(draft.consents?.terms),
		withdrawal_waived_at: consentTime(draft.consents?.waiveWithdrawal),
		consent_text_version: draft.consents?.textVersion ?? null,
		created_at: now,
	};
}

/** Keeps the hours of a purchase until an instant. @param orders in the order of the hours. */
export async function saveOffers(trx: Trx, orders: readonly { id: string }[], hours: readonly Date[], until: Date): Promise<void> {
	await sql`
		update orders set offered_at = offered.at, offered_until = ${until}
		from unnest(${orders.map(({ id }) => id)}::uuid[], ${hours.map((hour) => hour.toISOString())}::timestamptz[]) as offered (id, at)
		where orders.id = offered.id`.execute(trx);
}

type ChangedColumns = Partial<Pick<Order, "paid_at" | "promised_at" | "extract_requested_at" | "completed_at" | "failure_reason">>;

/**
 * Makes one transition of the lifecycle, if the present state allows it, and records its event, in the caller's transaction.
 * @returns the order after the transition, or null when the transition no longer applies.
 */
export async function changeState(
	trx: Trx,
	orderId: string,
	transition: Transition,
	change: { set?: ChangedColumns; payload?: JsonObject; now: Date },
): Promise<Order | null> {
	return (await changeStates(trx, [orderId], transition, change))[0] ?? null;
}

/**
 * Makes the same transition for many orders in one statement, as changeState does for one.
 * @returns the orders to which it applied.
 */
export async function changeStates(
	trx: Trx,
	orderIds: readonly string[],
	transition: Transition,
	{ set = {}, payload = {}, now }: { set?: ChangedColumns; payload?: JsonObject; now: Date },
): Promise<Order[]> {
	const { from, to, ...condition } = transitions[transition];
	const changed = await trx
		.updateTable("orders")
		.set({ ...set, status: to })
		.where("id", "=", anyOf(orderIds))
		.where("status", "in", from)
		.$if("after" in condition, (query) => query.where("failure_reason", "=", "after" in condition ? condition.after : null))
		.returningAll()
		.execute();
	await recordEvents(
		trx,
		changed.map(({ id }) => ({ orderId: id, type: transition, payload, now })),
	);
	return changed.sort(byLine);
}

/** The parts of a payload that are logged. Without the tracking number, which leads to an address. */
const loggedFields = ["service", "amount", "reason", "surplus", "document_id", "kind", "status", "promised_at"] as const;

interface NewEvent {
	orderId: string;
	type: EventType;
	payload?: JsonObject;
	now: Date;
}

/** Records an event of an order's history, notifies the live pages of that order, and logs it. */
export async function recordEvent(trx: Trx, event: NewEvent): Promise<void> {
	await recordEvents(trx, [event]);
}

/** Records many events in one statement, as recordEvent does for one. */
export async function recordEvents(trx: Trx, events: readonly NewEvent[]): Promise<void> {
	if (events.length === 0) return;
	const rows = events.map(({ orderId, type, payload = {}, now }) => ({
		order_id: orderId,
		event_type: type,
		payload: JSON.stringify(payload),
		created_at: now,
	}));
	// one event has one text; several are rare
	await (rows.length === 1 ? prepared(trx) : trx)
		.insertInto("order_events")
		.values(rows)
		.returning([changeNotification(sql<string>`order_id::text`), changeNotification(deskSubject)])
		.execute();
	for (const { orderId, type, payload = {} } of events) {
		const logged = Object.fromEntries(loggedFields.map((name) => [name, payload[name]]));
		logOrderEvent(trx, orderId, type, logged);
	}
}

/** Sets the tracking number of a posted order. */
export async function updateTrackingNumber(trx: Trx, orderId: string, trackingNumber: string): Promise<void> {
	await trx.updateTable("orders").set({ tracking_number: trackingNumber }).where("id", "=", orderId).execute();
}

/** Reads an order and locks it until the caller's transaction ends. */
export async function lockOrder(trx: Trx, orderId: string): Promise<Order | null> {
	return withLogContext(await trx.selectFrom("orders").selectAll().where("id", "=", orderId).forNoKeyUpdate().executeTakeFirst());
}

/**
 * Reads the orders of a purchase, in the order of its lines, and locks them until the caller's transaction ends. The rows are locked by
 * id, as lockOrders does. A transaction that holds the lock of one order must not call this, because two of them could deadlock.
 */
export async function lockPurchase(trx: Trx, purchaseId: string): Promise<Order[]> {
	const query = trx.selectFrom("orders").selectAll().where("purchase_id", "=", purchaseId).orderBy("id").forNoKeyUpdate();
	const orders = (await query.execute()).sort(byLine);
	if (orders[0]) setContextOrder(orders[0].id);
	return orders;
}

/** Reads an order with all orders of its purchase, itself included, and locks them as lockPurchase does. */
export async function lockOrderWithPurchase(trx: Trx, orderId: string): Promise<{ order: Order; purchase: Order[] } | null> {
	const found = await findOrder(trx, orderId);
	const purchase = found ? await lockPurchase(trx, found.purchase_id) : [];
	const order = withLogContext(purchase.find(({ id }) => id === orderId));
	return order && { order, purchase };
}

/** The orders of a purchase, in the order of its lines. */
export async function listOrdersOfPurchase(db: Database | Trx, purchaseId: string): Promise<Order[]> {
	return db.selectFrom("orders").selectAll().where("purchase_id", "=", purchaseId).orderBy("purchase_line").execute();
}

/**
 * Reads and locks many orders, in the order of their ids, so that two calls cannot deadlock.
 * @param skipLocked leaves out the orders that another transaction has locked, instead of waiting for them.
 */
export async function lockOrders(trx: Trx, orderIds: readonly string[], { skipLocked }: { skipLocked: boolean }): Promise<Order[]> {
	const query = trx.selectFrom("orders").selectAll().where("id", "=", anyOf(orderIds)).orderBy("id").forNoKeyUpdate();
	return (skipLocked ? query.skipLocked() : query).execute();
}

/** Updates columns of an order other than its state. The caller holds its lock and records the event. */
export async function updateOrder(
	trx: Trx,
	orderId: string,
	columns: Partial<
		Pick<
			Order,
			| "refunded_cents"
			| "disputed_at"
			| "dispute_status"
			| "late_at"
			| "set_aside_at"
			| "customer_email"
			| "delivery_email"
			| "delivery_name"
			| "delivery_complement"
			| "delivery_address"
			| "delivery_postal_code"
			| "delivery_city"
			| "siren"
			| "company_name"
			| "reference"
			| "watch_ended_at"
			| "extract_requested_at"
		>
	>,
): Promise<void> {
	await trx.updateTable("orders").set(columns).where("id", "=", orderId).execute();
}

export async function findOrder(db: Database | Trx, orderId: string): Promise<Order | null> {
	return withLogContext(await db.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirst());
}

/** Finds an order by its number, or by the UUID that the API also accepts. */
export async function findOrderByReference(db: Database, reference: { number: OrderNumber } | { id: string }): Promise<Order | null> {
	const query = db.selectFrom("orders").selectAll();
	return withLogContext(
		await ("id" in reference
			? query.where("id", "=", reference.id)
			: query.where("order_number", "=", reference.number)
		).executeTakeFirst(),
	);
}

/**
 * Lists the first order of each of a customer's purchases since an instant, the newest first. Compares the address without case, which has
 * an index.
 * @param unpaidSince leaves out older orders that were not paid: anybody can place one with somebody's address.
 */
export async function listFirstOrdersOfCustomer(
	db: Database,
	email: string,
	{ since, limit, unpaidSince }: { since: Date; limit: number; unpaidSince?: Date },
): Promise<Order[]> {
	const all = db
		.selectFrom("orders")
		.selectAll()
		.where(isMailbox(sql.ref("customer_email"), email))
		.where("purchase_line", "=", 1)
		.where("erased_at", "is", null)
		.where("created_at", ">=", since);
	const query = unpaidSince ? all.where((eb) => eb.or([eb("paid_at", "is not", null), eb("created_at", ">=", unpaidSince)])) : all;
	return query.orderBy("created_at", "desc").orderBy("id").limit(limit).execute();
}

export async function findOrderByKey(db: Database | Trx, key: string): Promise<Order | null> {
	return withLogContext(await db.selectFrom("orders").selectAll().where("idempotency_key", "=", key).executeTakeFirst());
}

/** Puts an order into the log context, and turns undefined into null. */
function withLogContext(order: Order | undefined): Order | null {
	if (order) setContextOrder(order.id);
	return order ?? null;
}

/** When the last letter of each of these orders was posted, by their ids. */
export async function listPostings(db: Database | Trx, orderIds: readonly string[]): Promise<Map<string, Date>> {
	const query = db.selectFrom("order_events").select(["order_id", "created_at"]).where("event_type", "=", "posted");
	const rows = await query.where("order_id", "=", anyOf(orderIds)).orderBy("created_at").execute();
	return new Map(rows.map(({ order_id, created_at }) => [order_id, created_at]));
}

/** An order's events, oldest first. Sorted by instant, which may differ from the order of insertion. */
export async function listEvents(db: Database | Trx, orderId: string): Promise<OrderEvent[]> {
	const query = db.selectFrom("order_events").selectAll().where("order_id", "=", orderId);
	return query.orderBy("created_at").orderBy("id").$narrowType<{ event_type: EventType }>().execute();
}
