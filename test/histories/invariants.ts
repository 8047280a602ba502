import { sql } from "kysely";
import type { OrderEmailKind } from "../../app/order-emails/order-emails.ts";
import { orderEmails } from "../../app/order-emails/order-emails.ts";
import type { Reconciliation } from "../../app/payments/reconcile.server.ts";
import type { RefundReason } from "../../app/refunds/refunds.store.server.ts";
import type { HistoryShop } from "./shop.ts";

export type End = Awaited<ReturnType<typeof readEnd>>;

/** Whether a mail tells the customer of a refund. */
const isTold = (kind: string) => kind === "refunded" || kind === "surplus-refunded";

const sumOf = <Row>(rows: Row[], amount: (row: Row) => number) => rows.reduce((sum, row) => sum + amount(row), 0);

/** Everything that a history left behind, on both sides. */
export async function readEnd({ shop: { db }, books, queue, sent }: HistoryShop, orderId: string, reconciled: Reconciliation | null) {
	const of = (table: "payments" | "refunds" | "mails" | "documents" | "order_events" | "invoices") =>
		db.selectFrom(table).where("order_id", "=", orderId);
	const [order, payments, refunds, mails, documents, events, invoices, withdrawal] = await Promise.all([
		db.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirstOrThrow(),
		of("payments").selectAll("payments").execute(),
		of("refunds").selectAll("refunds").execute(),
		of("mails").selectAll("mails").execute(),
		of("documents").selectAll("documents").execute(),
		of("order_events").selectAll("order_events").execute(),
		of("invoices").selectAll("invoices").execute(),
		db.selectFrom("withdrawals").selectAll().where("order_id", "=", orderId).executeTakeFirst(),
	]);
	const gaps = await sql<{ year: number }>`
		select year from invoices where year >= ${order.created_at.getUTCFullYear()}
		group by kind, year having count(*) <> max(number_in_year) or min(number_in_year) <> 1`.execute(db);
	return {
		...{ order, payments, refunds, mails, documents, events, invoices, withdrawal, reconciled, sent: [...sent] },
		gaps: gaps.rows.length,
		waiting: await queue.waiting(),
		truth: [...books.payments.values()].map((payment) => ({ ...payment, left: books.left(payment) })),
	};
}

/** @returns a sentence for each thing that must hold whatever happened, and does not. */
export function findBrokenInvariants({
	order,
	payments,
	refunds,
	mails,
	documents,
	events,
	invoices,
	reconciled,
	sent,
	gaps,
	waiting,
	truth,
	withdrawal,
}: End): string[] {
	const broken: string[] = [];
	const must = (holds: boolean, sentence: string) => void (holds || broken.push(sentence));
	const ours = payments.find(({ role }) => role === "order");
	const paid = order.paid_at !== null;
	const theirs = (paymentId: string) => truth.find(({ id }) => id === paymentId);
	const types = events.map(({ event_type }) => event_type);
	const sentKinds = mails.filter(({ sent_at }) => sent_at !== null).map(({ kind }) => kind as OrderEmailKind);
	const count = <Item>(items: Item[], item: Item) => items.filter((other) => other === item).length;

	must(payments.filter(({ role }) => role === "order").length === (paid ? 1 : 0), "a paid order has one payment, another none");
	must(count(types, "paid") === (paid ? 1 : 0), "an order is marked paid once");
	must(payments.length === truth.length, "every captured payment is known");
	for (const { id, amount, left, refunds: given } of truth) {
		const known = refunds.filter(({ payment_id, status }) => payment_id === id && status === "succeeded");
		must(payments.find((payment) => payment.id === id)?.amount_cents === amount, "the amounts captured agree");
		must(left >= 0, "no more is refunded than was captured");
		must(sumOf(known, (row) => row.amount_cents) === amount - left, "the amounts refunded agree");
		must(known.length === given.filter(({ status }) => status !== "failed").length, "the refunds agree one by one");
	}
	const succeeded = refunds.filter(({ payment_id, status }) => payment_id === ours?.id && status === "succeeded");
	must(order.refunded_cents === sumOf(succeeded, (row) => row.amount_cents), "the order shows what was refunded");
	must(reconciled !== null && reconciled.differences.length === 0, "the books agree");

	const [bills, credits] = [invoices.filter(({ kind }) => kind === "invoice"), invoices.filter(({ kind }) => kind === "credit_note")];
	must(bills.length === (paid ? 1 : 0), "a paid order has one invoice, another none");
	must(
		bills.every(({ total_cents }) => total_cents === order.price_cents),
		"the invoice is of the price",
	);
	// A refund that the bank sent back keeps its credit note, and what goes out again is credited by it. Where nothing came back, the
	// two that follow together say: what is credited is what went back, to the cent.
	const credited = sumOf(credits, (row) => row.total_cents);
	must(
		credits.every(({ refund_id, total_cents }) => {
			const refund = refunds.find(({ id }) => id === refund_id);
			const wentOut = refund?.status === "succeeded" || refund?.status === "failed";
			return refund?.payment_id === ours?.id && wentOut && total_cents <= (refund?.amount_cents ?? 0);
		}),
		"each credit note is of a refund of the order, and of no more than that",
	);
	must(credited >= order.refunded_cents, "what went back is credited");
	must(credited <= sumOf(bills, (row) => row.total_cents), "no more is credited than was invoiced");
	must(
		invoices.every(({ document_id }) => document_id !== null),
		"every invoice has its PDF",
	);
	must(gaps === 0, "numbers have no gap");

	must(order.status !== "paid", "a paid order goes on");
	must(order.status !== "pending" || order.set_aside_at !== null, "an order does not wait for a payment for ever");
	must((order.set_aside_at !== null) === payments.some(({ role }) => role === "mismatch"), "what does not fit is set aside");
	if (order.status === "completed") {
		must(
			documents.some(({ doc_type }) => doc_type === "kbis"),
			"a completed order has its document",
		);
		must(
			sentKinds.some((kind) => kind === "document-ready" || kind === "posted"),
			"a completed order was delivered",
		);
	}
	for (const payment of payments) {
		const owed = owedFor(payment.role, order, withdrawal);
		const held = order.dispute_status === "open" || theirs(payment.id)?.dispute?.status === "lost";
		const failed = refunds.filter(({ payment_id, reason, status }) => payment_id === payment.id && reason === owed && status === "failed");
		// only the shop's own refund for this reason may have come back: that waits for the operator
		const left = (theirs(payment.id)?.left ?? 0) - sumOf(failed, (row) => row.amount_cents);
		must(owed === null || left <= 0 || held, `what is owed goes back: ${owed}`);
	}

	const disputes = truth.map(({ dispute }) => dispute?.status);
	const dispute = (["open", "lost", "won"] as const).find((status) => disputes.includes(status)) ?? null;
	must(order.dispute_status === dispute, "the dispute is known as it is");
	must((order.disputed_at !== null) === (dispute === "open" || dispute === "lost"), "a dispute freezes until it is won");
	must(
		refunds.every(({ status }) => (status !== "requested" && status !== "pending") || dispute === "open"),
		"no refund is left undone but for an open dispute",
	);

	must(
		mails.every(({ sent_at }) => sent_at !== null),
		"every mail has left",
	);
	must(new Set(sent).size === sent.length, "no mail leaves twice");
	must(count(sentKinds, "confirmation") === (paid ? 1 : 0), "a paid order is confirmed once");
	for (const refund of refunds.filter(({ status }) => status === "succeeded"))
		must(mails.filter(({ refund_id, kind }) => refund_id === refund.id && isTold(kind)).length === 1, "each refund is told once");
	must(waiting.length === 0, "no job is left");
	return broken;
}

/** Why all of a payment must go back, whoever else gave it back before, and whatever became of that; null when it need not. */
function owedFor(role: string, order: End["order"], withdrawal: End["withdrawal"]): RefundReason | null {
	if (role === "surplus") return "surplus";
	if (role !== "order") return null;
	if (order.status === "failed") return order.failure_reason === "cancelled" ? "cancelled" : "failed";
	if (withdrawal?.outcome === "refunded") return "withdrawal";
	return order.late_at !== null && order.product_code === "express" ? "late" : null;
}

/**
 * What legitimately depends on when the shop heard of what: whether a cancellation came before the delivery that it did not
 * know of, which of two payments counts, whether anybody looked at the promise yet, and while the document was still owed (only
 * then is the customer told that it is late), whether the bank had already been asked to give back what somebody then refunded
 * elsewhere, whether a refund that the bank sent back was ever known, and told, to have succeeded, what had gone back before a
 * dispute. Two ends of the same class must be the same in everything else.
 */
export function classOf({ order, payments, refunds, mails, truth, withdrawal }: End): string {
	const byReason = (reason: RefundReason) =>
		sumOf(
			refunds.filter((row) => row.reason === reason),
			(row) => row.amount_cents,
		);
	return JSON.stringify([
		mails.some(({ kind }) => kind === "late"),
		...[order.status, order.failure_reason, order.late_at !== null, order.set_aside_at !== null, withdrawal?.outcome ?? null],
		// in the order of the provider's books
		truth.map(({ id, dispute, left }) => [
			payments.find((payment) => payment.id === id)?.role,
			dispute?.status,
			order.dispute_status === "open" || dispute?.status === "lost" ? left : null,
			sumOf(
				refunds.filter(({ payment_id, reason }) => payment_id === id && reason === "dashboard"),
				(row) => row.amount_cents,
			),
		]),
		byReason("operator"),
		refunds
			.filter(({ status }) => status === "failed")
			.map(({ id, reason, amount_cents }) =>
				[reason, amount_cents, mails.some(({ refund_id, kind }) => refund_id === id && isTold(kind))].join(),
			)
			.sort(),
	]);
}

/** The rest: the same for every end of a class. */
export function summarize({ order, payments, refunds, mails, documents, invoices, truth }: End) {
	const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();
	return {
		order: [order.status, order.failure_reason, order.refunded_cents, order.dispute_status, order.disputed_at !== null],
		payments: sorted(payments.map(({ role, amount_cents, currency }) => [role, amount_cents, currency])),
		given: sumOf(
			refunds.filter(({ status }) => status === "succeeded"),
			(row) => row.amount_cents,
		),
		atProvider: sorted(truth.map(({ amount, left, dispute }) => [amount, left, dispute?.status])),
		invoices: sorted(invoices.filter(({ kind }) => kind === "invoice").map(({ total_cents }) => total_cents)),
		// Where a refund that was credited came back, how much is credited depends on what was out at one time, as the shop knew it: no
		// less than is out and no more than was invoiced, which `findBrokenInvariants` sees to.
		credited: refunds.some(({ id, status }) => status === "failed" && invoices.some(({ refund_id }) => refund_id === id))
			? null
			: sumOf(
					invoices.filter(({ kind }) => kind === "credit_note"),
					(row) => row.total_cents,
				),
		documents: [...new Set(documents.map(({ doc_type }) => doc_type))].sort(),
		// alerts tell of the way, not of the end; a reminder to pay is dropped once it is not true any more
		mails: [...new Set(mails.map(({ kind }) => kind as OrderEmailKind))]
			.filter((kind) => orderEmails[kind].to !== "operator" && kind !== "resume")
			.sort(),
	};
}
