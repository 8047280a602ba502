import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { startFakeStripe } from "../test/fakes/stripe/stripe.ts";
import { scaledTimeout } from "../test/time-limits.ts";
import type { Bench, BenchOptions } from "./bench.ts";
import { openClient } from "./client.ts";
import { addressOf, temporaryFolder, withClient } from "./database.ts";
import { knownCompanies } from "./known-companies.ts";
import { freePort } from "./measured-server.ts";
import { openCustomers, type PaidOrder } from "./orders/customers.ts";
import { measureFloor } from "./orders/floor.ts";
import { closedLoop, openLoad } from "./orders/loads.ts";
import { watchProcesses } from "./orders/processes.ts";
import { figure, percentile, spread } from "./percentiles.ts";
import { seededRandom } from "./random.ts";
import { keepRunning } from "./shop-process.ts";

const seed = 20261121;
const atOnce = 20;
/** Orders per second, from customers who do not wait for each other. */
const moderate = 10;
/** Connections that the pools of two web processes open at most: see server/database/database.ts. */
const connections = 20;

export default {
	about: "Paid orders per second, through the front door",
	options: { orders: { type: "string" }, profile: { type: "string" } },
	longest: () => 3_600_000,
	async measure({ smoke, asked, server: startServer, undo, progress }: BenchOptions) {
		const orders = Number(asked.orders ?? (smoke ? 20 : 2000));
		const unhurried = smoke ? 5 : 300;

		progress("a shop in several processes");
		const server = await startServer();
		const connection = await server.createFilled("shop");
		const stripe = await startFakeStripe();
		undo.defer(() => stripe.close());
		const ports = [await freePort(), await freePort()];
		const url = `http://127.0.0.1:${ports[0]}`;
		const environment = {
			...{ BASE_URL: url, DATABASE_URL: addressOf(connection), DATA_DIR: temporaryFolder(undo) },
			...{ APP_SECRET: randomBytes(32).toString("hex"), LOG_LEVEL: "error" },
			...{ STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret, STRIPE_API_BASE: stripe.url },
		};
		const nodeArguments = typeof asked.profile === "string" ? ["--cpu-prof", `--cpu-prof-dir=${asked.profile}`] : [];
		const processes = [
			...ports.map((port) => keepRunning(undo, { role: "web", environment: { ...environment, PORT: String(port) }, nodeArguments })),
			keepRunning(undo, { role: "jobs", environment, nodeArguments }),
		];
		await Promise.all(processes.map((process) => process.ready()));
		const webs = ports.map((port) => openClient(undo, `http://127.0.0.1:${port}`, atOnce));
		const order = openCustomers(stripe, webs, await knownCompanies(connection));
		await closedLoop(smoke ? 5 : 100, atOnce / 4, order); // the first ones load and compile
		await untilDelivered(connection);

		progress(`${unhurried} orders, ${moderate} per second`);
		const unhurriedOrders = await openLoad(unhurried, moderate, seededRandom(seed), order);
		await untilDelivered(connection);
		const commits = await bareCommits(connection, smoke ? 20 : 200);

		progress(`${orders} orders, ${atOnce} at a time`);
		const watched = watchProcesses(processes);
		await watched.sample(0);
		const every = Math.max(10, Math.round(orders / 100));
		const delivered = countDelivered(connection);
		const before = await delivered();
		const started = performance.now();
		const closed = await closedLoop(orders, atOnce, order, (done) => {
			if (done % every === 0) void watched.sample(done);
			if (done % (10 * every) === 0) progress(`${done} orders`);
		});
		const meanwhile = ((await delivered()) - before) / closed.seconds;
		await untilDelivered(connection);
		const deliveredPerSecond = orders / ((performance.now() - started) / 1000);
		await watched.sample(orders);
		for (const process of processes) await process.stop();

		progress("the same rows by PostgreSQL alone");
		await measureFloor(connection, smoke ? 20 : 200, connections);
		const floor = await measureFloor(connection, smoke ? 40 : 2000, connections);
		const perSecond = orders / closed.seconds;
		const commit = percentile(commits, 0.95);
		return {
			options: `--orders ${orders}`,
			setting: [
				server.setting,
				"2 web processes and 1 jobs process, which fulfils the orders meanwhile; a stand-in for Stripe in the bench’s own process, documents and mails on disk",
			],
			figures: [
				{
					what: "Paid orders per second",
					unit: "/s" as const,
					value: perSecond,
					goal: 0.3 * floor,
					atLeast: true as const,
					bare: floor,
					bareWhat: `the same rows in as many transactions (3 per order) by prepared statements over ${connections} connections`,
					details: [
						`${orders} orders by ${atOnce} customers at a time, from create-payment to the webhook’s 200, in ${closed.seconds.toFixed(1)} s`,
						`of these, delivered meanwhile ${figure(meanwhile)}/s; until all were delivered ${figure(deliveredPerSecond)}/s`,
						`at that load, create-payment ${of(closed.taken, "createPayment")}; webhook ${of(closed.taken, "webhook")}`,
					],
					largestRatio: 300,
				},
				latency("create-payment", "createPayment", 60, 2, unhurriedOrders, commit),
				latency("Webhook", "webhook", 30, 1, unhurriedOrders, commit),
			],
			tables: [watched.table()],
		};
	},
} satisfies Bench;

const of = (orders: readonly PaidOrder[], what: keyof PaidOrder) =>
	spread(
		orders.map((order) => order[what]),
		"ms",
	);

function latency(name: string, what: keyof PaidOrder, goal: number, transactions: number, orders: readonly PaidOrder[], commit: number) {
	return {
		what: `${name} without the provider’s time, p95`,
		unit: "ms" as const,
		value: percentile(
			orders.map((order) => order[what]),
			0.95,
		),
		goal,
		bare: transactions * commit,
		bareWhat: `as many bare commits as it has transactions that write (${transactions}), p95`,
		details: [`${orders.length} orders, ${moderate} per second on average: ${of(orders, what)}; bare commit p95 ${figure(commit)} ms`],
		largestRatio: 1000,
	};
}

/** One small row, one commit, on one connection beside an idle shop: milliseconds of each. */
function bareCommits(connection: pg.ClientConfig, times: number): Promise<number[]> {
	return withClient(connection, async (client) => {
		await client.query("create table bench_commits (number integer)");
		const latencies: number[] = [];
		for (let number = 0; number < times; number++) {
			const started = performance.now();
			await client.query({ name: "commit", text: "insert into bench_commits values ($1)", values: [number] });
			latencies.push(performance.now() - started);
		}
		return latencies;
	});
}

const countDelivered = (connection: pg.ClientConfig) => () =>
	withClient(connection, async (client) =>
		Number((await client.query("select count(*) from orders where status = 'completed'")).rows[0].count),
	);

async function untilDelivered(connection: pg.ClientConfig): Promise<void> {
	await withClient(connection, async (client) => {
		const began = performance.now();
		for (;;) {
			const { rows } = await client.query("select count(*)::integer as left from orders where status <> 'completed'");
			if (rows[0].left === 0) return;
			if (performance.now() - began > scaledTimeout(1_200_000)) throw new Error(`${rows[0].left} orders are not delivered`);
			await wait(50);
		}
	});
}
