import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { services } from "../../app/catalogue/services.ts";
import { type Client, openClient } from "../../test/http-client.ts";
import type { KnownCompany } from "../../test/known-companies.ts";
import { withClient } from "../../test/postgres.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { measureEmptyCommits } from "../database.ts";
import { formatFigure, formatSpread, percentile } from "../percentiles.ts";

/** Milliseconds between two polls of an order; many customers who poll faster would be the load that is measured. */
const pollMs = { alone: 10, concurrent: 100 };

interface Subjects {
	url: string;
	connection: pg.ClientConfig;
	companies: readonly KnownCompany[];
}

/** From the payment to the delivered document as a customer sees it, one order after the other and many at once. */
export async function measureDelivery({ smoke, undo }: BenchOptions, { url, connection, companies }: Subjects): Promise<Figure[]> {
	const count = smoke ? 2 : 50;
	const concurrent = smoke ? 2 : 20;
	const client = openClient(undo, url, concurrent);
	const place = (number: number, every = pollMs.alone) =>
		placeOrder(client, url, companies[number % companies.length] as KnownCompany, { number, pollMs: every });

	await (await place(0))(); // the first order loads the PDF code
	const idle = await countWrites(connection, () => wait(smoke ? 200 : 2000));
	const latencies: number[] = [];
	const writes = await countWrites(connection, async () => {
		for (let number = 1; number <= count; number++) latencies.push(await (await place(number))());
	});
	const perOrder = Math.max(1, (writes.count - (idle.count / idle.ms) * writes.ms) / count);

	const placed: (() => Promise<number>)[] = [];
	for (let number = 0; number < concurrent; number++) placed.push(await place(count + 1 + number, pollMs.concurrent));
	const concurrentLatencies = await Promise.all(placed.map((pay) => pay()));

	const commits = await measureEmptyCommits(connection, smoke ? 20 : 200);
	const commit = percentile(commits, 0.5);
	return [
		{
			label: "From paid to delivered, p95",
			unit: "s",
			value: percentile(latencies, 0.95) / 1000,
			goal: 2,
			details: [
				`${count} orders one after the other, from the payment request until /api/suivi, polled every ${pollMs.alone} ms, answers completed: ${formatSpread(latencies, "ms")}`,
				`empty commits: ${formatSpread(commits, "ms")}`,
			],
			baseline: {
				value: (perOrder * commit) / 1000,
				label: `the ${formatFigure(perOrder)} writing transactions of one order, as empty commits of ${formatFigure(commit)} ms`,
				maxRatio: 400,
			},
		},
		{
			label: `From paid to delivered, slowest of ${concurrent} at once`,
			unit: "s",
			value: percentile(concurrentLatencies, 1) / 1000,
			goal: 2,
			details: [`each polled every ${pollMs.concurrent} ms: ${formatSpread(concurrentLatencies, "ms")}`],
			baseline: {
				value: (concurrent * perOrder * commit) / 1000,
				label: `${concurrent} times those commits, one after the other`,
				maxRatio: 200,
			},
		},
	];
}

interface OrderOptions {
	number: number;
	pollMs: number;
	/** Sent with each request of this customer. */
	headers?: Record<string, string>;
}

/**
 * Fills in an order up to the payment page.
 * @returns pays it and waits until it is delivered: the milliseconds between.
 */
export async function placeOrder(
	client: Client,
	url: string,
	{ siren, name }: KnownCompany,
	{ number, pollMs, headers = {} }: OrderOptions,
): Promise<() => Promise<number>> {
	const email = `client-${number}@bench.example`;
	const created = await client.ask("/api/create-payment", {
		method: "POST",
		headers: { ...headers, "content-type": "application/json" },
		body: JSON.stringify({
			orderData: { siren, companyName: name, serviceType: "express", amount: services.express.price, deliveryMethod: "email" },
			customerData: { email, firstName: "Camille", lastName: "Martin", phone: "", address: "", postalCode: "", city: "", company: "" },
		}),
	});
	if (created.status !== 200) throw new Error(`create-payment answered ${created.status}: ${created.body}`);
	const paymentPage = new URL((JSON.parse(created.body.toString()) as { url: string }).url).pathname;
	const confirmation = await client.ask(`/confirmation/${paymentPage.split("/").at(-1)}`, { headers });
	const orderId = /KB-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(confirmation.body.toString())?.[0];
	if (orderId === undefined) throw new Error(`the confirmation page of ${paymentPage} shows no order number`);
	return async () => {
		const started = performance.now();
		const paid = await client.ask(paymentPage, {
			method: "POST",
			headers: { ...headers, "content-type": "application/x-www-form-urlencoded", origin: url },
			body: new URLSearchParams({ card: "4242 4242 4242 4242", intent: "pay" }).toString(),
		});
		if (paid.status !== 303) throw new Error(`the payment page answered ${paid.status}`);
		while (!(await isDelivered(client, email, orderId, headers))) {
			if (performance.now() - started > scaledTimeout(20_000)) throw new Error(`order ${orderId} is not delivered`);
			await wait(pollMs);
		}
		return performance.now() - started;
	};
}

async function isDelivered(client: Client, email: string, orderId: string, headers: Record<string, string>): Promise<boolean> {
	const { status, body } = await client.ask("/api/suivi", {
		method: "POST",
		headers: { ...headers, "content-type": "application/json" },
		body: JSON.stringify({ email, orderId }),
	});
	if (status !== 200) throw new Error(`/api/suivi answered ${status}`);
	const { order, documents } = JSON.parse(body.toString()) as { order: { status: string }; documents: { doc_type: string }[] };
	if (order.status === "failed") throw new Error(`order ${orderId} failed`);
	return order.status === "completed" && documents.some(({ doc_type }) => doc_type === "kbis");
}

/** Counts the transactions that write while some work runs: each takes a transaction number, a reading one takes none. */
async function countWrites(connection: pg.ClientConfig, work: () => Promise<void>): Promise<{ count: number; ms: number }> {
	const nextNumber = () =>
		withClient(connection, async (client) =>
			Number((await client.query("select pg_snapshot_xmax(pg_current_snapshot())::text as next")).rows[0].next),
		);
	const first = await nextNumber();
	const started = performance.now();
	await work();
	return { ms: performance.now() - started, count: (await nextNumber()) - first };
}
