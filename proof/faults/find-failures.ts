import type { readProviderBooks, ShopBooks } from "./books.ts";
import type { CustomerOrder } from "./customers.ts";
import type { ReceivedMail } from "./shop.ts";

/** Failures that must not happen, by kind, with the orders, e-mails or documents that they concern. */
export type Failures = Record<string, string[]>;

interface Evidence {
	customers: readonly CustomerOrder[];
	shop: ShopBooks;
	provider: ReturnType<typeof readProviderBooks>;
	/** What the mail server received. */
	mailServer: readonly ReceivedMail[];
	/** Documents whose bytes in the bucket differ from the database. */
	damaged: readonly string[];
}

/** Compares the customers' knowledge, the provider's books and the shop's books of every order. */
export function findFailures(evidence: Evidence): Failures {
	return {
		...checkOrders(evidence),
		...checkRefunds(evidence),
		...checkMails(evidence),
		...checkDocuments(evidence),
		...checkInvoices(evidence),
	};
}

type BookedOrder = ShopBooks["orders"][number];

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

function checkOrders({ customers, shop, provider }: Evidence): Failures {
	const byEmail = Map.groupBy(shop.orders, ({ customer_email }) => customer_email);
	const faults = { "orders lost": [] as string[], "duplicate orders": [] as string[], "orders in a wrong state": [] as string[] };
	const duplicates: string[] = [];
	for (const customer of customers) {
		const name = `${customer.email} (${customer.way})`;
		const orders = byEmail.get(customer.email) ?? [];
		if (orders.length > customer.services.length) faults["duplicate orders"].push(name);
		if (orders.length < customer.services.length && customer.sessionId !== null)
			faults["orders lost"].push(`${name}: the shop knows ${orders.length} of ${customer.services.length}`);
		const payments = orders[0] ? (provider.get(orders[0].purchase_id) ?? []) : [];
		const charged = payments.filter(({ captured, refunded }) => captured > refunded);
		if (charged.length > 1) duplicates.push(name);
		for (const order of orders) {
			const { status, paid_at, price_cents: price, refunded_cents: refunded } = order;
			if (payments.length > 0 && !["completed", "failed"].includes(status)) faults["orders lost"].push(`${name}: ${status}`);
			if (status === "failed" && charged.length > 0 && (paid_at === null || refunded < price))
				faults["orders lost"].push(`${name}: failed, and not refunded`);
			const wrong = findStateFault(customer, order, payments.length > 0);
			if (wrong) faults["orders in a wrong state"].push(`${name}: ${wrong}`);
		}
	}
	return { ...faults, "duplicate charges": duplicates };
}

/** Whether an order is the one that its customer cancels or withdraws from: the only one, or the chosen one of several. */
const isChosen = ({ services, number }: CustomerOrder, { order_number }: BookedOrder) => services.length === 1 || number === order_number;

function findStateFault(customer: CustomerOrder, order: BookedOrder, charged: boolean): string | null {
	const { status, failure_reason: reason } = order;
	const cancelled = status === "failed" && reason === "cancelled";
	const { numbers } = customer;
	if (numbers.length > 0 && !numbers.includes(order.order_number)) return "another number than the customer was shown";
	if (isChosen(customer, order)) {
		if (customer.cancelled === "yes" && !cancelled) return `its cancellation was accepted, and it is ${status}`;
		if (customer.cancelled === "no" && status !== "completed") return `its cancellation was refused, and it is ${status}`;
	} else if (cancelled && order.paid_at !== null) return "cancelled with another order, though it was paid";
	if (!charged && status !== "pending" && !cancelled) return `not paid, and it is ${status}`;
	if (charged && status === "completed" && order.paid_at === null) return "completed without being paid";
	if (charged && status !== "completed" && !cancelled) return `paid, and ${status} for « ${reason} »`;
	const dispute = customer.way === "dispute-won" ? "won" : customer.way === "dispute-lost" ? "lost" : null;
	if (charged && order.dispute_status !== dispute) return `its dispute is ${order.dispute_status}, not ${dispute}`;
	return null;
}

/** The money that must go back, in cents, and the highest number of refunds for it. */
function getDueRefund(customer: CustomerOrder, orders: readonly BookedOrder[], outcomes: ReadonlyMap<string, string>) {
	if (customer.way === "dashboard-part") return { amount: 1500, refunds: 2 };
	const due = orders.filter(({ id, status }) => status === "failed" || customer.way === "dashboard" || outcomes.get(id) === "refunded");
	return { amount: sum(due.map(({ price_cents }) => price_cents)), refunds: due.length };
}

function checkRefunds({ customers, shop, provider }: Evidence): Failures {
	const missing: string[] = [];
	const duplicates: string[] = [];
	const different: string[] = [];
	const byEmail = Map.groupBy(shop.orders, ({ customer_email }) => customer_email);
	const outcomes = new Map(shop.withdrawals.map(({ order_id, outcome }) => [order_id, outcome]));
	const known = Map.groupBy(shop.refunds, ({ payment_id }) => payment_id);
	for (const customer of customers) {
		const orders = byEmail.get(customer.email) ?? [];
		const name = `${customer.email} (${customer.way})`;
		if (customer.withdrawn && orders.length > 0 && !orders.some((order) => isChosen(customer, order) && outcomes.has(order.id)))
			missing.push(`${name}: its withdrawal is missing`);
		const due = getDueRefund(customer, orders, outcomes);
		for (const { id, captured, refunded, refunds } of provider.get(orders[0]?.purchase_id ?? "") ?? []) {
			if (refunded < due.amount) missing.push(`${name}: ${refunded} of ${due.amount} went back`);
			if (refunded > due.amount || refunded > captured || refunds > due.refunds)
				duplicates.push(`${name}: ${refunded} of ${due.amount} went back, in ${refunds}`);
			const here = sum((known.get(id) ?? []).filter(({ status }) => status === "succeeded").map(({ amount_cents }) => amount_cents));
			if (here !== refunded) different.push(`${name}: ${here} here, ${refunded} at the provider`);
		}
	}
	return {
		"refunds missing": missing,
		"duplicate refunds": duplicates,
		"refunds that differ between the shop's books and Stripe's": different,
		"orders refunded above their price": shop.orders
			.filter(({ refunded_cents, price_cents }) => refunded_cents > price_cents)
			.map(({ customer_email, refunded_cents, price_cents }) => `${customer_email}: ${refunded_cents} of ${price_cents}`),
	};
}

function checkMails({ customers, shop, mailServer }: Evidence): Failures {
	const received = new Map(mailServer.map(({ id, subject }) => [id.replace(/^<|@.*$/g, ""), subject]));
	const written = new Set(shop.mails.map(({ id }) => id));
	const byOrder = Map.groupBy(shop.mails, ({ order_id }) => order_id);
	const byEmail = Map.groupBy(shop.orders, ({ customer_email }) => customer_email);
	const lost: string[] = [];
	const duplicates: string[] = [];
	for (const { id, kind, sent } of shop.mails) {
		if (kind !== "resume" && !(sent && received.has(id)))
			lost.push(`${kind} ${id}: ${sent ? "marked as sent, never received by the mail server" : "not sent"}`);
	}
	for (const [id, subject] of received)
		if (!written.has(id)) duplicates.push(`${id}: « ${subject} » was received, and is not in the books`);
	for (const customer of customers)
		for (const order of byEmail.get(customer.email) ?? []) {
			const due = getDueMails(customer, order, shop);
			const there = Map.groupBy(byOrder.get(order.id) ?? [], ({ kind }) => kind);
			for (const kind of new Set([...Object.keys(due), ...there.keys()])) {
				const [must, is] = [due[kind] ?? 0, there.get(kind)?.length ?? 0];
				if (kind === "resume") continue;
				if (is < must) lost.push(`${customer.email} (${customer.way}): ${is} of ${must} « ${kind} »`);
				if (is > must) duplicates.push(`${customer.email} (${customer.way}): ${is} « ${kind} » for ${must}`);
			}
		}
	return { "e-mails lost": lost, "duplicate e-mails": duplicates };
}

/** How many e-mails of each kind an order must have. */
function getDueMails(customer: CustomerOrder, order: BookedOrder, shop: ShopBooks): Record<string, number> {
	const isFirst = order.id === order.purchase_id;
	const chosen = isChosen(customer, order);
	const completed = order.status === "completed";
	const postal = order.product_code === "postal";
	const refunds = shop.refunds.filter(({ order_id, status }) => order_id === order.id && status === "succeeded");
	const roles = new Map(shop.payments.map(({ id, role }) => [id, role]));
	const surplus = refunds.filter(({ payment_id }) => roles.get(payment_id) === "surplus").length;
	const isAlone = customer.services.length === 1;
	const onProviderPages = shop.refunds.filter(({ order_id, reason }) => order_id === order.id && reason === "dashboard").length;
	const end = getEndOfService(order, shop);
	return {
		confirmation: isFirst && order.paid_at !== null ? 1 : 0,
		"document-ready": (isAlone ? completed && !postal : end === "ready") ? 1 : 0,
		posted: (isAlone ? completed && postal : end === "posted") ? 1 : 0,
		cancelled: chosen && order.failure_reason === "cancelled" && !customer.withdrawn ? 1 : 0,
		"withdrawal-receipt": chosen && customer.withdrawn ? 1 : 0,
		refunded: refunds.length - surplus,
		"surplus-refunded": surplus,
		"alert-surplus": surplus,
		// a part of one price may be of any order of the purchase; all of the price is of all orders
		"alert-refund-guessed": customer.way === "dashboard-part" && !isAlone ? onProviderPages : 0,
		"alert-dispute": !isFirst || order.dispute_status === null ? 0 : 1,
		"alert-dispute-lost": isFirst && order.dispute_status === "lost" ? 1 : 0,
	};
}

/** How the orders of a purchase with the service of this one ended, if it is the first of them. Cancelled ones alone are not told again. */
function getEndOfService(order: BookedOrder, { orders }: ShopBooks): "ready" | "posted" | null {
	const ofService = orders.filter(
		({ purchase_id, product_code }) => purchase_id === order.purchase_id && product_code === order.product_code,
	);
	const hasEnded = order.paid_at !== null && ofService.every(({ status }) => status === "completed" || status === "failed");
	if (ofService[0]?.id !== order.id || !hasEnded || ofService.every(({ failure_reason }) => failure_reason === "cancelled")) return null;
	return order.product_code === "postal" && ofService.some(({ status }) => status === "completed") ? "posted" : "ready";
}

function checkDocuments({ shop, damaged }: Evidence): Failures {
	const extracts = Map.groupBy(
		shop.documents.filter(({ doc_type }) => doc_type === "kbis"),
		({ order_id }) => order_id,
	);
	const wrong = shop.orders
		.filter(({ id, status, product_code }) => {
			const count = extracts.get(id)?.length ?? 0;
			// a postal order that was cancelled during its printing has an extract that was not sent
			return status === "completed" ? count !== 1 : count > (product_code === "postal" ? 1 : 0);
		})
		.map(({ id, customer_email, status }) => `${customer_email}: ${status}, with ${extracts.get(id)?.length ?? 0} extracts`);
	return { "extracts missing or duplicate": wrong, "documents damaged or missing in the bucket": [...damaged] };
}

function checkInvoices({ shop }: Evidence): Failures {
	const gaps: string[] = [];
	for (const [series, rows] of Map.groupBy(shop.invoices, ({ kind, year }) => `${kind} ${year}`)) {
		rows.forEach(({ number_in_year }, index) => {
			if (number_in_year !== index + 1) gaps.push(`${series}: number ${number_in_year} in place ${index + 1}`);
		});
	}
	const missing: string[] = [];
	const amounts: string[] = [];
	const paying = new Map(shop.payments.filter(({ role }) => role === "order").map((payment) => [payment.id, payment]));
	const credited = shop.refunds.filter(
		({ payment_id, status, replaces }) => status === "succeeded" && replaces === null && paying.has(payment_id),
	);
	const compare = (
		kind: string,
		due: readonly { key: string; cents: number }[],
		getKey: (row: ShopBooks["invoices"][number]) => string | null,
	) => {
		const byKey = Map.groupBy(
			shop.invoices.filter((row) => row.kind === kind),
			getKey,
		);
		for (const { key, cents } of due) {
			const [invoice, ...others] = byKey.get(key) ?? [];
			if (invoice === undefined || others.length > 0) missing.push(`${kind} of ${key}: ${others.length + (invoice ? 1 : 0)} there`);
			else if (invoice.document_id === null) missing.push(`${kind} of ${key}: without a PDF`);
			else if (invoice.total_cents !== cents) amounts.push(`${kind} of ${key}: ${invoice.total_cents} for ${cents}`);
			byKey.delete(key);
		}
		for (const key of byKey.keys()) missing.push(`${kind} of ${key}: not due`);
	};
	compare(
		"invoice",
		[...paying.values()].map(({ order_id, amount_cents }) => ({ key: order_id, cents: amount_cents })),
		(row) => row.order_id,
	);
	compare(
		"credit_note",
		credited.map(({ id, amount_cents }) => ({ key: id, cents: amount_cents })),
		(row) => row.refund_id,
	);
	return { "gaps in invoice numbers": gaps, "invoices and credit notes missing or too many": missing, "wrong invoice amounts": amounts };
}
