import { randomUUID } from "node:crypto";
import pg from "pg";
import { closedLoop } from "./loads.ts";

/**
 * The transactions that write for one paid order, with the rows of each, read off the shop's code:
 *   1  start-checkout     the order, its event `created`, the first attempt
 *   2  open-session       the attempt answered, the session, under the order's lock
 *   3  settle-session     the provider's event, the order's lock, the session complete, the order paid, its event, three jobs, the payment
 * Nothing is read but by the locks, nothing is announced, nothing is computed: what is left is PostgreSQL and its disk.
 */
const transactions: readonly (readonly [name: string, sql: string, values: (order: Ids) => unknown[]][])[] = [
	[
		[
			"order",
			`insert into orders (id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name,
				idempotency_key, request_hash, created_at)
			values ($1, $2, 'pending', 'express', 5900, '552032534', 'DANONE', 'client@bench.example', 'Camille', 'Martin', $2, $2, now())`,
			({ id, key }) => [id, key],
		],
		["created", eventSql("created"), ({ id }) => [id]],
		[
			"attempt",
			"insert into payment_attempts (order_id, attempt, created_at, expires_at) values ($1, 1, now(), now() + interval '1 day')",
			({ id }) => [id],
		],
	],
	[
		["lock", "select * from orders where id = $1 for no key update", ({ id }) => [id]],
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
		["lock", "select * from orders where id = $1 for no key update", ({ id }) => [id]],
		["complete", "update payment_sessions set status = 'complete', payment_id = $2 where id = $1", ({ key }) => [`cs_${key}`, `pi_${key}`]],
		[
			"paid",
			"update orders set status = 'paid', paid_at = now(), promised_at = now() where id = $1 and status = 'pending'",
			({ id }) => [id],
		],
		["paid event", eventSql("paid"), ({ id }) => [id]],
		["fulfil", jobSql("fulfil-order"), ({ id }) => [id]],
		["invoice", jobSql("invoice-order"), ({ id }) => [id]],
		["promise", jobSql("check-promise"), ({ id }) => [id]],
		[
			"payment",
			`insert into payments (id, order_id, session_id, amount_cents, currency, role, created_at)
			values ($2, $1, $2, 5900, 'eur', 'order', now())`,
			({ id, key }) => [id, `pi_${key}`],
		],
	],
];

function eventSql(type: string): string {
	return `insert into order_events (order_id, event_type, payload, created_at) values ($1, '${type}', '{}', now())`;
}

function jobSql(name: string): string {
	return `insert into jobs.job (name, data, singleton_key, policy) values ('${name}', jsonb_build_object('orderId', $1::uuid), $1::text, 'exclusive')`;
}

interface Ids {
	id: string;
	key: string;
}

/**
 * Writes the same rows as so many paid orders, in as many transactions, by prepared statements over as many connections as the shop's.
 * @returns orders per second.
 */
export async function measureFloor(connection: pg.ClientConfig, orders: number, connections: number): Promise<number> {
	const clients = await Promise.all(
		Array.from({ length: connections }, async () => {
			const client = new pg.Client(connection);
			await client.connect();
			return client;
		}),
	);
	const idle = [...clients];
	const { seconds } = await closedLoop(orders, connections, async () => {
		const client = idle.pop() as pg.Client;
		const id = randomUUID();
		for (const statements of transactions) {
			await client.query({ name: "begin", text: "begin" });
			for (const [name, text, values] of statements) await client.query({ name, text, values: values({ id, key: `floor-${id}` }) });
			await client.query({ name: "commit", text: "commit" });
		}
		idle.push(client);
	});
	for (const client of clients) await client.end();
	return orders / seconds;
}
