import { randomUUID } from "node:crypto";
import pg from "pg";
import { closedLoop } from "./loads.ts";

interface Ids {
	id: string;
	key: string;
}

type Statement = readonly [name: string, sql: string, values: (ids: Ids) => unknown[]];

const insertEvent = (type: string): Statement => [
	`event ${type}`,
	`insert into order_events (order_id, event_type, payload, created_at) values ($1, '${type}', '{}', now())`,
	({ id }) => [id],
];
const insertJob = (name: string): Statement => [
	`job ${name}`,
	`insert into jobs.job (name, data, singleton_key, policy) values ('${name}', jsonb_build_object('orderId', $1::uuid), $1::text, 'exclusive')`,
	({ id }) => [id],
];
const lockOrder: Statement = ["lock", "select * from orders where id = $1 for no key update", ({ id }) => [id]];

/**
 * The three writing transactions of one paid order with their rows: start-checkout, open-session, and the synchronisation after the
 * provider's event. Nothing is read, announced or computed: only PostgreSQL and its disk remain.
 */
const transactions: readonly (readonly Statement[])[] = [
	[
		[
			"order",
			`insert into orders (id, purchase_id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name,
				idempotency_key, request_hash, created_at)
			values ($1, $1, $2, 'pending', 'express', 5900, '552032534', 'DANONE', 'client@bench.example', 'Camille', 'Martin', $2, $2, now())`,
			({ id, key }) => [id, key],
		],
		insertEvent("created"),
		[
			"attempt",
			"insert into payment_attempts (order_id, attempt, created_at, expires_at) values ($1, 1, now(), now() + interval '1 day')",
			({ id }) => [id],
		],
	],
	[
		lockOrder,
		["answered", "update payment_attempts set answered_at = now() where order_id = $1 and attempt = 1", ({ id }) => [id]],
		[
			"session",
			`insert into payment_sessions (id, order_id, url, status, created_at, expires_at)
			values ($2, $1, 'https://pay.example/' || $2, 'open', now(), now() + interval '1 day')`,
			({ id, key }) => [id, `cs_${key}`],
		],
	],
	[
		[
			"event",
			"insert into payment_events (id, event_type, handled_at) values ($1, 'checkout.session.completed', now())",
			({ key }) => [`evt_${key}`],
		],
		lockOrder,
		["complete", "update payment_sessions set status = 'complete', payment_id = $2 where id = $1", ({ key }) => [`cs_${key}`, `pi_${key}`]],
		[
			"paid",
			"update orders set status = 'paid', paid_at = now(), promised_at = now() where id = $1 and status = 'pending'",
			({ id }) => [id],
		],
		insertEvent("paid"),
		...["fulfil-order", "invoice-order", "check-promise"].map(insertJob),
		[
			"payment",
			`insert into payments (id, order_id, session_id, amount_cents, currency, role, created_at)
			values ($2, $1, $2, 5900, 'eur', 'order', now())`,
			({ id, key }) => [id, `pi_${key}`],
		],
	],
];

export const baselineTransactions = transactions.length;

/** Writes the rows of paid orders by prepared statements over several connections. @returns orders per second. */
export async function measureOrderRows(connection: pg.ClientConfig, orders: number, connections: number): Promise<number> {
	const clients = Array.from({ length: connections }, () => new pg.Client(connection));
	for (const client of clients) await client.connect();
	const idle = [...clients];
	const { seconds } = await closedLoop(orders, connections, async () => {
		const client = idle.pop() as pg.Client;
		const id = randomUUID();
		for (const statements of transactions) {
			await client.query({ name: "begin", text: "begin" });
			for (const [name, text, values] of statements) await client.query({ name, text, values: values({ id, key: `baseline-${id}` }) });
			await client.query({ name: "commit", text: "commit" });
		}
		idle.push(client);
	});
	for (const client of clients) await client.end();
	return orders / seconds;
}
