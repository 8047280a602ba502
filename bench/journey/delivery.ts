import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { services } from "../../app/catalogue/services.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { type Client, openClient } from "../client.ts";
import { withClient } from "../database.ts";
import { figure, percentile, spread } from "../percentiles.ts";
import type { KnownCompany } from "./searches.ts";

const atOnce = 20;
/** Milliseconds between two looks at an order; many customers together would otherwise be the load that is measured. */
const pollEvery = { alone: 10, together: 100 };

/** From the payment to the delivered document, as a customer sees it, one order after another and many at once. */
export async function measureDelivery(
	{ smoke, undo }: BenchOptions,
	{ url, connection, companies }: { url: string; connection: pg.ClientConfig; companies: readonly KnownCompany[] },
): Promise<Figure[]> {
	const one = smoke ? 2 : 50;
	const many = smoke ? 2 : atOnce;
	const client = openClient(undo, url, many);
	const order = (number: number, every = pollEvery.alone) =>
		placeOrder(client, url, companies[number % companies.length] as KnownCompany, number, every);

	await (await order(0))(); // the first loads what makes the PDF
	const idle = await writesOf(connection, () => wait(smoke ? 200 : 2000));
	const seconds: number[] = [];
	const writes = await writesOf(connection, async () => {
		for (let number = 1; number <= one; number++) seconds.push(await (await order(number))());
	});
	const perOrder = Math.max(1, (writes.count - (idle.count / idle.seconds) * writes.seconds) / one);

	const placed: (() => Promise<number>)[] = [];
	for (let number = 0; number < many; number++) placed.push(await order(one + 1 + number, pollEvery.together));
	const together = await Promise.all(placed.map((pay) => pay()));

	const commits = await bareCommits(connection, smoke ? 20 : 200);
	const commit = percentile(commits, 0.5) / 1000;
	const inMs = (values: number[]) =>
		spread(
			values.map((value) => value * 1000),
			"ms",
		);
	return [
		{
			what: "From paid to delivered, p95",
			unit: "s",
			value: percentile(seconds, 0.95),
			goal: 2,
			bare: perOrder * commit,
			bareWhat: `the ${figure(perOrder)} transactions that write for one order, as bare commits of ${figure(commit * 1000)} ms`,
			details: [
				`${one} orders one after another, from the payment's request until /api/suivi says completed, asked every ${pollEvery.alone} ms: ${inMs(seconds)}`,
				`bare commits: ${spread(commits, "ms")}`,
			],
			largestRatio: 400,
		},
		{
			what: `From paid to delivered, slowest of ${many} at once`,
			unit: "s",
			value: percentile(together, 1),
			goal: 2,
			bare: many * perOrder * commit,
			bareWhat: `${many} times those commits, one after another`,
			details: [`asked every ${pollEvery.together} ms each: ${inMs(together)}`],
			largestRatio: 200,
		},
	];
}

/**
 * Fills in an order up to the payment page.
 * @param headers of each of this customer's requests.
 * @returns what pays it and waits until it is delivered; it gives the seconds between.
 */
export async function placeOrder(
	client: Client,
	url: string,
	{ siren, name }: KnownCompany,
	number: number,
	every: number,
	headers: Record<string, string> = {},
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
			await wait(every);
		}
		return (performance.now() - started) / 1000;
	};
}

async function isDelivered(client: Client, email: string, orderId: string, headers: Record<string, string>): Promise<boolean> {
	const { status, body } = await client.ask("/api/suivi", {
		method: "POST",
		headers: { ...headers, "content-type": "application/json" },
		body: JSON.stringify({ email, orderId }),
	});
	if (status !== 200) throw new Error(`/api/suivi answered ${status}`);
	const tracked = JSON.parse(body.toString()) as { order: { status: string }; documents: { doc_type: string }[] };
	if (tracked.order.status === "failed") throw new Error(`order ${orderId} failed`);
	return tracked.order.status === "completed" && tracked.documents.some(({ doc_type }) => doc_type === "kbis");
}

/** Transactions that wrote while some work was done: each took a transaction number, those that only read take none. */
async function writesOf(connection: pg.ClientConfig, work: () => Promise<void>): Promise<{ count: number; seconds: number }> {
	const next = () =>
		withClient(connection, async (client) =>
			Number((await client.query("select pg_snapshot_xmax(pg_current_snapshot())::text as next")).rows[0].next),
		);
	const first = await next();
	const started = performance.now();
	await work();
	return { seconds: (performance.now() - started) / 1000, count: (await next()) - first };
}

/** One small row, one commit, on one connection: milliseconds of each. */
function bareCommits(connection: pg.ClientConfig, times: number): Promise<number[]> {
	return withClient(connection, async (client) => {
		await client.query("create table if not exists bench_commits (number integer, at timestamptz default now())");
		const latencies: number[] = [];
		for (let number = 0; number < times; number++) {
			const started = performance.now();
			await client.query("insert into bench_commits (number) values ($1)", [number]);
			latencies.push(performance.now() - started);
		}
		return latencies;
	});
}
