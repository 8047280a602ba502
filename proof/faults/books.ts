import type pg from "pg";
import type { FakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { withClient } from "../../test/postgres.ts";

/** The shop's tables at the end of a test. */
export type ShopBooks = Awaited<ReturnType<typeof readShopBooks>>;

interface BookOrder {
	id: string;
	purchase_id: string;
	order_number: string;
	status: string;
	failure_reason: string | null;
	product_code: string;
	price_cents: number;
	customer_email: string;
	paid_at: Date | null;
	refunded_cents: number;
	dispute_status: string | null;
}

const queries = {
	orders: `select id, purchase_id, order_number, status, failure_reason, product_code, price_cents, customer_email, paid_at, refunded_cents,
			dispute_status
		from orders order by created_at, purchase_line`,
	payments: "select id, order_id, amount_cents, role from payments",
	refunds: "select id, order_id, payment_id, amount_cents, reason, status, replaces from refunds",
	mails: "select id, order_id, kind, sent_at is not null as sent from mails",
	documents: "select id, order_id, doc_type, storage_path, sha256, bytes from documents",
	invoices:
		"select kind, year, number_in_year, order_id, refund_id, total_cents, document_id from invoices order by kind, year, number_in_year",
	withdrawals: "select order_id, outcome from withdrawals",
	events: "select order_id, count(*)::integer as count from order_events group by order_id",
} as const;

interface Rows {
	orders: BookOrder;
	payments: { id: string; order_id: string; amount_cents: number; role: string };
	refunds: {
		id: string;
		order_id: string;
		payment_id: string;
		amount_cents: number;
		reason: string;
		status: string;
		replaces: string | null;
	};
	mails: { id: string; order_id: string; kind: string; sent: boolean };
	documents: { id: string; order_id: string; doc_type: string; storage_path: string; sha256: string; bytes: number };
	invoices: {
		kind: "invoice" | "credit_note";
		year: number;
		number_in_year: number;
		order_id: string;
		refund_id: string | null;
		total_cents: number;
		document_id: string | null;
	};
	withdrawals: { order_id: string; outcome: string };
	events: { order_id: string; count: number };
}

export function readShopBooks(connection: pg.ClientConfig): Promise<{ [Table in keyof Rows]: Rows[Table][] }> {
	return withClient(connection, async (client) => {
		const read = async <Table extends keyof Rows>(table: Table) => (await client.query<Rows[Table]>(queries[table])).rows;
		return {
			orders: await read("orders"),
			payments: await read("payments"),
			refunds: await read("refunds"),
			mails: await read("mails"),
			documents: await read("documents"),
			invoices: await read("invoices"),
			withdrawals: await read("withdrawals"),
			events: await read("events"),
		};
	});
}

/** The payments at the provider, by the purchase in their metadata. */
export function readProviderBooks({
	state,
}: FakeStripe): Map<string, { id: string; captured: number; refunded: number; refunds: number }[]> {
	const byOrder = new Map<string, { id: string; captured: number; refunded: number; refunds: number }[]>();
	const refunds = Map.groupBy(state.refunds.values(), ({ charge }) => charge);
	for (const { id, payment_intent, metadata, amount, amount_refunded } of state.charges.values()) {
		const orderId = metadata.purchase_id ?? "";
		const payment = { id: payment_intent, captured: amount, refunded: amount_refunded, refunds: refunds.get(id)?.length ?? 0 };
		byOrder.set(orderId, [...(byOrder.get(orderId) ?? []), payment]);
	}
	return byOrder;
}
