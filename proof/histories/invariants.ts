import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { maxCorrections } from "../../app/catalogue/after-sale.ts";
import { type OrderEmailKind, orderEmails } from "../../app/emails/order-emails.server.ts";
import type { RefundReason } from "../../app/orders/refunds/refunds.store.server.ts";
import type { Reconciliation } from "../../app/payments/reconcile.server.ts";
import type { HistoryShop } from "./shop.ts";

export type End = Awaited<ReturnType<typeof readEnd>>;

/** Whether an e-mail tells the customer of a refund. */
const tellsRefund = (kind: string) => kind === "refunded" || kind === "surplus-refunded";

const sumBy = <Row>(rows: Row[], amount: (row: Row) => number) => rows.reduce((sum, row) => sum + amount(row), 0);

/** The final state of a history in the shop and at the provider. @param purchaseId the id of the first order. */
export async function readEnd({ shop: { db }, books, queue, sent }: HistoryShop, purchaseId: string, reconciled: Reconciliation | null) {
	const orders = await db.selectFrom("orders").selectAll().where("purchase_id", "=", purchaseId).orderBy("purchase_line").execute();
	const ids = orders.map(({ id }) => id);
	const of = (table: "payments" | "refunds" | "mails" | "documents" | "order_events" | "invoices") =>
		db.selectFrom(table).where("order_id", "in", ids);
	const [payments, refunds, mails, documents, events, invoices, withdrawals] = await Promise.all([
		of("payments").selectAll("payments").execute(),
		of("refunds").selectAll("refunds").execute(),
		of("mails").selectAll("mails").execute(),
		of("documents").selectAll("documents").execute(),
		of("order_events").selectAll("order_events").orderBy("order_events.id").execute(),
		of("invoices").selectAll("invoices").execute(),
		db.selectFrom("withdrawals").selectAll().where("order_id", "in", ids).execute(),
	]);
	const gaps = await sql<{ year: number }>`
		select year from invoices where year >= ${orders[0]?.created_at.getUTCFullYear()}
		group by kind, year having count(*) <> max(number_in_year) or min(number_in_year) <> 1`.execute(db);
	return {
		...{ orders, payments, refunds, mails, documents, events, invoices, withdrawals, reconciled, sent: [...sent] },
		gaps: gaps.rows.length,
		dueJobs: await queue.waiting(),
		truth: [...books.payments.values()].map((payment) => ({ ...payment, left: books.left(payment) })),
	};
}

/** Checks the invariants. @returns a sentence for each one that is broken. */
export function findBrokenInvariants(end: End): string[] {
	const broken: string[] = [];
	const must: Must = (holds, sentence) => void (holds || broken.push(sentence));
	checkPayments(end, must);
	checkRefundedAmounts(end, must);
	checkInvoices(end, must);
	for (const order of end.orders) checkState(end, order, must);
	checkOwedRefunds(end, must);
	checkMails(end, must);
	must(end.dueJobs.length === 0, "no job is left");
	return broken;
}

type Must = (holds: boolean, sentence: string) => void;
type EndedOrder = End["orders"][number];

const isPaid = ({ orders }: End) => orders.some(({ paid_at }) => paid_at !== null);
const findOrderPayment = ({ payments }: End) => payments.find(({ role }) => role === "order");
const count = <Item>(items: readonly Item[], item: Item) => items.filter((other) => other === item).length;
const ofOrder = <Row extends { order_id: string | null }>(rows: readonly Row[], { id }: EndedOrder) =>
	rows.filter(({ order_id }) => order_id === id);

function checkPayments(end: End, must: Must): void {
	const { orders, payments, refunds, events, truth, reconciled } = end;
	const paid = isPaid(end) ? 1 : 0;
	must(new Set(orders.map(({ paid_at }) => paid_at?.getTime())).size === 1, "the orders of a purchase are paid at the same instant");
	const states = new Set(orders.map(({ status, failure_reason: reason, set_aside_at }) => [status, reason, set_aside_at !== null].join()));
	must(paid === 1 || states.size === 1, "before the payment, the orders of a purchase are in the same state");
	must(payments.filter(({ role }) => role === "order").length === paid, "a paid purchase has one payment, another none");
	for (const order of orders) {
		const types = ofOrder(events, order).map(({ event_type }) => event_type);
		must(count(types, "paid") === paid, "an order is marked paid once");
	}
	must(payments.length === truth.length, "every captured payment is known");
	for (const { id, amount, left, refunds: given } of truth) {
		const known = refunds.filter(({ payment_id, status }) => payment_id === id && status === "succeeded");
		must(payments.find((payment) => payment.id === id)?.amount_cents === amount, "the amounts captured agree");
		must(left >= 0, "no more is refunded than was captured");
		must(sumBy(known, (row) => row.amount_cents) === amount - left, "the amounts refunded agree");
		// one made on the provider's pages may be of several orders
		const ids = new Set(known.map(({ provider_id }) => provider_id));
		must(ids.size === given.filter(({ status }) => status !== "failed").length, "the refunds agree one by one");
	}
	must(reconciled !== null && reconciled.differences.length === 0, "the books agree");
}

function checkRefundedAmounts(end: End, must: Must): void {
	const own = findOrderPayment(end);
	for (const order of end.orders) {
		const ofPayment = ofOrder(end.refunds, order).filter(({ payment_id }) => payment_id === own?.id);
		const succeeded = ofPayment.filter(({ status }) => status === "succeeded");
		must(order.refunded_cents === sumBy(succeeded, (row) => row.amount_cents), "the order shows what was refunded");
		must(order.refunded_cents <= order.price_cents, "an order gets back its price at most");
	}
	const [first] = end.orders;
	const isMisplaced = end.refunds.some(({ payment_id, order_id }) => payment_id !== own?.id && order_id !== first?.id);
	must(!isMisplaced, "duplicate and mismatched payments belong to the first order");
}

function checkInvoices(end: End, must: Must): void {
	const { orders, refunds, invoices, gaps } = end;
	const own = findOrderPayment(end);
	const [bills, credits] = [invoices.filter(({ kind }) => kind === "invoice"), invoices.filter(({ refund_id }) => refund_id !== null)];
	const [first, replacing] = [bills.filter(({ replaces }) => replaces === null), bills.filter(({ replaces }) => replaces !== null)];
	const cancelling = invoices.filter(({ kind, refund_id }) => kind === "credit_note" && refund_id === null);
	const price = sumBy(orders, (order) => order.price_cents);
	const hasPrice = [...bills, ...cancelling].every(({ total_cents }) => total_cents === price);
	must(first.length === (isPaid(end) ? 1 : 0), "a paid purchase has one first invoice, another none");
	must(hasPrice, "each invoice is of the price, and so is what cancels one");
	const replaced = replacing.map(({ replaces }) => replaces).sort();
	must(replacing.length <= maxCorrections, "an invoice is corrected three times at most");
	must(isDeepStrictEqual(replaced, cancelling.map(({ corrects }) => corrects).sort()), "what is replaced is cancelled, and nothing else");
	const inForce = bills.filter(({ id }) => !replaced.includes(id));
	must(inForce.length === first.length, "one invoice is in force");
	must(
		credits.every(({ corrects }) => corrects === inForce[0]?.id),
		"refunds credit the invoice in force",
	);
	// A refund that the bank sent back keeps its credit note, which also covers the refund that replaces it. If the bank sent nothing
	// back, the last two invariants mean: the credited amount equals the refunded amount, to the cent.
	const creditsFit = credits.every(({ refund_id, order_id, total_cents }) => {
		const refund = refunds.find(({ id }) => id === refund_id);
		const wentOut = refund?.status === "succeeded" || refund?.status === "failed";
		return refund?.order_id === order_id && refund.payment_id === own?.id && wentOut && total_cents <= refund.amount_cents;
	});
	must(creditsFit, "each credit note is of a refund of its order, and of no more than that");
	for (const order of orders) {
		const credited = sumBy(ofOrder(credits, order), (row) => row.total_cents);
		must(credited >= order.refunded_cents, "what went back is credited");
		must(credited <= order.price_cents, "no more is credited than was invoiced");
	}
	const havePdfs = invoices.every(({ document_id }) => document_id !== null);
	must(havePdfs, "every invoice has its PDF");
	must(gaps === 0, "numbers have no gap");
}

function checkState({ orders, payments, documents, mails, refunds, truth }: End, order: EndedOrder, must: Must): void {
	must(order.status !== "paid", "a paid order goes on");
	must(order.status !== "pending" || order.set_aside_at !== null, "an order does not wait for a payment for ever");
	must((order.set_aside_at !== null) === payments.some(({ role }) => role === "mismatch"), "an order with a mismatched payment is on hold");
	if (order.status === "completed") {
		const hasDocument = ofOrder(documents, order).some(({ doc_type }) => doc_type === "kbis");
		must(hasDocument, "a completed order has its document");
		const wasDelivered = listSentKinds(ofOrder(mails, order)).some((kind) => kind === "document-ready" || kind === "posted");
		// orders of a purchase of several share the e-mail that says so
		must(wasDelivered || orders.length > 1, "a completed order was delivered");
	}
	const disputes = truth.map(({ dispute }) => dispute?.status);
	const dispute = (["open", "lost", "won"] as const).find((status) => disputes.includes(status)) ?? null;
	must(order.dispute_status === dispute, "the dispute is known as it is");
	must((order.disputed_at !== null) === (dispute === "open" || dispute === "lost"), "a dispute freezes until it is won");
	const unfinished = ofOrder(refunds, order).some(({ status }) => status === "requested" || status === "pending");
	must(!unfinished || dispute === "open", "no refund is unfinished without an open dispute");
}

function checkOwedRefunds({ orders, payments, refunds, truth, withdrawals }: End, must: Must): void {
	for (const payment of payments)
		for (const order of payment.role === "order" ? orders : orders.slice(0, 1)) {
			const booked = truth.find(({ id }) => id === payment.id);
			const owed = getOwedReason(payment.role, order, ofOrder(withdrawals, order)[0]);
			const held = order.dispute_status === "open" || booked?.dispute?.status === "lost";
			const failed = ofOrder(refunds, order).filter(
				({ payment_id, reason, status }) => payment_id === payment.id && reason === owed && status === "failed",
			);
			const notRefunded = payment.role === "order" ? order.price_cents - order.refunded_cents : (booked?.left ?? 0);
			// a failed refund for this reason waits for the operator
			const left = notRefunded - sumBy(failed, (row) => row.amount_cents);
			must(owed === null || left <= 0 || held, `what is owed goes back: ${owed}`);
		}
}

const listSentKinds = (mails: End["mails"]) => mails.filter(({ sent_at }) => sent_at !== null).map(({ kind }) => kind as OrderEmailKind);

const countCorrections = (invoices: End["invoices"]) => invoices.filter(({ replaces }) => replaces !== null).length;

function checkMails(end: End, must: Must): void {
	const { orders, refunds, mails, sent, invoices } = end;
	const sentKinds = listSentKinds(mails);
	must(sentKinds.length === mails.length, "every mail has left");
	must(new Set(sent).size === sent.length, "no mail leaves twice");
	must(count(sentKinds, "confirmation") === (isPaid(end) ? 1 : 0), "a paid purchase is confirmed once");
	must(count(sentKinds, "invoice-corrected") === countCorrections(invoices), "each corrected invoice is sent once");
	for (const order of orders) {
		const kinds = listSentKinds(ofOrder(mails, order));
		must(new Set(kinds.filter(isSentOnce)).size === kinds.filter(isSentOnce).length, "an order has each e-mail about itself once");
	}
	for (const refund of refunds.filter(({ status }) => status === "succeeded"))
		must(mails.filter(({ refund_id, kind }) => refund_id === refund.id && tellsRefund(kind)).length === 1, "each refund is told once");
}

const isSentOnce = (kind: OrderEmailKind) => ["cancelled", "failed", "late", "posted", "withdrawal-receipt"].includes(kind);

/** Why a whole payment, or the whole price of an order, must be refunded, even after other refunds; null when it need not be. */
function getOwedReason(role: string, order: EndedOrder, withdrawal: End["withdrawals"][number] | undefined): RefundReason | null {
	if (role === "surplus") return "surplus";
	if (role !== "order") return null;
	if (order.status === "failed") return order.failure_reason === "cancelled" ? "cancelled" : "failed";
	if (withdrawal?.outcome === "refunded") return "withdrawal";
	return order.late_at !== null && order.product_code === "express" ? "late" : null;
}

/**
 * What may depend on when the shop hears of an event: whether a cancellation came before the delivery, which of two payments counts,
 * whether a late document was noticed while it was still owed, whether a failure was told before its service ended, whether a refund was requested before somebody refunded elsewhere, and to
 * which orders that refund went,
 * whether a refund that the bank sent back was known as successful, what was refunded before a dispute, and whether an invoice had its
 * PDF or a refund when the customer corrected it. Ends of one class must be
 * equal in everything else.
 */
export function getClass({ orders, payments, refunds, mails, truth, withdrawals, invoices }: End): string {
	const sumOfReason = (rows: End["refunds"], reason: RefundReason) =>
		sumBy(
			rows.filter((row) => row.reason === reason),
			(row) => row.amount_cents,
		);
	return JSON.stringify([
		orders.map((order) => [
			ofOrder(mails, order).some(({ kind }) => kind === "late"),
			...[order.status, order.failure_reason, order.late_at !== null, order.set_aside_at !== null],
			ofOrder(withdrawals, order)[0]?.outcome ?? null,
			sumOfReason(ofOrder(refunds, order), "operator"),
			orders.length > 1 && sumOfReason(ofOrder(refunds, order), "dashboard"),
			orders.length > 1 && order.dispute_status !== null && order.refunded_cents,
		]),
		mails.some(({ kind }) => kind === "purchase-problem"),
		// in the order of the provider's books
		truth.map(({ id, dispute, left }) => [
			payments.find((payment) => payment.id === id)?.role,
			dispute?.status,
			orders[0]?.dispute_status === "open" || dispute?.status === "lost" ? left : null,
			sumOfReason(
				refunds.filter(({ payment_id }) => payment_id === id),
				"dashboard",
			),
		]),
		countCorrections(invoices),
		refunds
			.filter(({ status }) => status === "failed")
			.map(({ id, order_id, reason, amount_cents }) =>
				[
					orders.findIndex((order) => order.id === order_id),
					...[reason, amount_cents, mails.some(({ refund_id, kind }) => refund_id === id && tellsRefund(kind))],
				].join(),
			)
			.sort(),
	]);
}

/** Everything else: equal for all ends of a class. */
export function summarize(end: End) {
	const { orders, payments, refunds, mails, documents, invoices, truth } = end;
	const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();
	return {
		orders: orders.map((order) => [
			...[order.status, order.failure_reason, order.refunded_cents, order.dispute_status, order.disputed_at !== null],
			[...new Set(ofOrder(documents, order).map(({ doc_type }) => doc_type))].sort(),
		]),
		payments: sorted(payments.map(({ role, amount_cents, currency }) => [role, amount_cents, currency])),
		given: sumBy(
			refunds.filter(({ status }) => status === "succeeded"),
			(row) => row.amount_cents,
		),
		atProvider: sorted(truth.map(({ amount, left, dispute }) => [amount, left, dispute?.status])),
		invoices: sorted(invoices.filter(({ kind }) => kind === "invoice").map(({ total_cents }) => total_cents)),
		// If the bank sent back a credited refund, the credited amount depends on the order of events; `findBrokenInvariants` limits it.
		credited: refunds.some(({ id, status }) => status === "failed" && invoices.some(({ refund_id }) => refund_id === id))
			? null
			: sumBy(
					invoices.filter(({ refund_id }) => refund_id !== null),
					(row) => row.total_cents,
				),
		// alerts depend on the way to the end, and a reminder to pay is deleted once the order is paid
		mails: [...new Set(mails.map(({ kind }) => kind as OrderEmailKind))]
			.filter((kind) => orderEmails[kind].to !== "operator" && kind !== "resume")
			.sort(),
	};
}
