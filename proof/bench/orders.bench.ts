import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { freePort } from "../../test/free-port.ts";
import { type Client, openClient } from "../../test/http-client.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { toDatabaseUrl, withClient } from "../../test/postgres.ts";
import { seededRandom } from "../../test/random.ts";
import { keepRunning, type ShopProcess } from "../../test/shop-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { Bench, BenchOptions, Figure } from "./bench.ts";
import { measureEmptyCommits } from "./database.ts";
import { measureArchive } from "./orders/archive.ts";
import { measureOrderRows } from "./orders/baseline.ts";
import { createCustomers, type PaidOrder } from "./orders/customers.ts";
import { closedLoop, openLoad } from "./orders/loads.ts";
import { watchProcesses } from "./orders/processes.ts";
import { comparePurchases } from "./orders/purchases.ts";
import { measureTransactions } from "./orders/transactions.ts";
import { formatFigure, formatSpread, percentile } from "./percentiles.ts";

const seed = 20261121;
const concurrent = 20;
/** Orders per second, from customers who do not wait for each other. */
const moderate = 10;
/** Highest number of connections in the pools of two web processes: see server/database/database.ts. */
const connections = 20;

export default {
	about: "Paid orders per second",
	options: { orders: { type: "string" }, profile: { type: "string" } },
	maxMs: () => 3_600_000,
	async measure(options) {
		const { smoke, given, server: startServer, progress } = options;
		const orders = Number(given.orders ?? (smoke ? 20 : 2000));
		const moderateCount = smoke ? 5 : 300;

		progress("a shop in several processes");
		const server = await startServer();
		const connection = await server.createFilled("shop");
		const shop = await startShop(options, connection);
		const { processes, order } = shop;
		await closedLoop(smoke ? 5 : 100, concurrent / 4, order); // until everything is loaded and compiled
		await untilDelivered(connection);

		progress(`${moderateCount} orders, ${moderate} per second`);
		const moderateOrders = await openLoad(moderateCount, moderate, seededRandom(seed), order);
		await untilDelivered(connection);
		const commit = percentile(await measureEmptyCommits(connection, smoke ? 20 : 200), 0.95);

		progress(`${orders} orders, ${concurrent} at a time`);
		const watched = watchProcesses(processes);
		await watched.sample(0);
		const sampleEvery = Math.max(10, Math.round(orders / 100));
		const before = await countDelivered(connection);
		const started = performance.now();
		const closed = await closedLoop(orders, concurrent, order, (done) => {
			if (done % sampleEvery === 0) void watched.sample(done);
			if (done % (10 * sampleEvery) === 0) progress(`${done} orders`);
		});
		const deliveredMeanwhile = ((await countDelivered(connection)) - before) / closed.seconds;
		await untilDelivered(connection);
		const deliveredPerSecond = orders / ((performance.now() - started) / 1000);
		await watched.sample(orders);
		const watchedTable = watched.table();

		progress("orders one after the other");
		const transactions = await measureTransactions(connection, order, smoke ? 3 : 240);

		const size = smoke ? 5 : 100;
		progress(`purchases of ${size} orders and of one`);
		const purchases = await comparePurchases(
			{ ...shop, connection, orderOne: order, untilDelivered: () => untilDelivered(connection) },
			{ size, times: smoke ? 1 : 3 },
		);
		progress("the archive of a purchase");
		const archive = await measureArchive({ ...shop, connection, process: processes[0] as ShopProcess, url: shop.origin }, smoke ? 20 : 200);
		for (const process of processes) await process.stop();

		progress("the same rows by PostgreSQL alone");
		await measureOrderRows(connection, smoke ? 20 : 200, connections);
		const rows = await measureOrderRows(connection, smoke ? 40 : 2000, connections);
		return {
			options: `--orders ${orders}`,
			setting: [
				server.setting,
				"2 web processes, and 1 jobs process that fulfils the orders meanwhile; a fake of Stripe in the process of the bench; documents and e-mails on disk",
			],
			figures: [
				{
					label: "Paid orders per second",
					unit: "/s",
					value: orders / closed.seconds,
					goal: 0.3 * rows,
					atLeast: true,
					details: [
						`${orders} orders by ${concurrent} customers at a time, from create-payment to the webhook’s 200, in ${closed.seconds.toFixed(1)} s`,
						`meanwhile the jobs process delivered ${formatFigure(deliveredMeanwhile)}/s; until the last delivery the rate is ${formatFigure(deliveredPerSecond)}/s`,
						`under this load, create-payment ${formatStep(closed.results, "createPayment")}; webhook ${formatStep(closed.results, "webhook")}`,
					],
					baseline: {
						value: rows,
						label: `the same rows in as many transactions (3 per order) by prepared statements over ${connections} connections`,
						maxRatio: 300,
					},
				},
				latencyFigure("create-payment", "createPayment", { goal: 60, transactions: 2 }, moderateOrders, commit),
				latencyFigure("Webhook", "webhook", { goal: 30, transactions: 1 }, moderateOrders, commit),
				transactions,
				archive,
			],
			tables: [watchedTable, purchases],
		};
	},
} satisfies Bench;

async function startShop({ undo, given }: BenchOptions, connection: pg.ClientConfig) {
	const stripe = await startFakeStripe();
	undo.defer(() => stripe.close());
	const ports = [await freePort(), await freePort()];
	const [origin, dataDir, secret] = [`http://127.0.0.1:${ports[0]}`, temporaryFolder(undo), randomBytes(32).toString("hex")];
	const environment = {
		...{ BASE_URL: origin, DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: dataDir, APP_SECRET: secret, LOG_LEVEL: "error" },
		...{ STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret, STRIPE_API_BASE: stripe.url },
	};
	const nodeArguments = typeof given.profile === "string" ? ["--cpu-prof", `--cpu-prof-dir=${given.profile}`] : [];
	const processes: ShopProcess[] = [
		...ports.map((port) => keepRunning(undo, { role: "web", environment: { ...environment, PORT: String(port) }, nodeArguments })),
		keepRunning(undo, { role: "jobs", environment, nodeArguments }),
	];
	await Promise.all(processes.map((process) => process.ready()));
	const webs = ports.map((port) => openClient(undo, `http://127.0.0.1:${port}`, concurrent));
	const companies = await knownCompanies(connection);
	const order = createCustomers(stripe, webs, companies);
	return { processes, order, origin, dataDir, secret, stripe, web: webs[0] as Client, companies };
}

const formatStep = (orders: readonly PaidOrder[], step: keyof PaidOrder) =>
	formatSpread(
		orders.map((order) => order[step]),
		"ms",
	);

function latencyFigure(
	name: string,
	step: keyof PaidOrder,
	{ goal, transactions }: { goal: number; transactions: number },
	orders: readonly PaidOrder[],
	commit: number,
): Figure {
	return {
		label: `${name} without the provider’s time, p95`,
		unit: "ms",
		value: percentile(
			orders.map((order) => order[step]),
			0.95,
		),
		goal,
		details: [
			`${orders.length} orders, ${moderate} per second on average: ${formatStep(orders, step)}; empty commit p95 ${formatFigure(commit)} ms`,
		],
		baseline: {
			value: transactions * commit,
			label: `as many empty commits as the request has writing transactions (${transactions}), p95`,
			maxRatio: 1000,
		},
	};
}

const countDelivered = (connection: pg.ClientConfig) =>
	withClient(connection, async (client) =>
		Number((await client.query("select count(*) from orders where status = 'completed'")).rows[0].count),
	);

async function untilDelivered(connection: pg.ClientConfig): Promise<void> {
	await withClient(connection, async (client) => {
		const started = performance.now();
		for (;;) {
			const { rows } = await client.query("select count(*)::integer as open from orders where status <> 'completed'");
			if (rows[0].open === 0) return;
			if (performance.now() - started > scaledTimeout(1_200_000)) throw new Error(`${rows[0].open} orders are not delivered`);
			await wait(50);
		}
	});
}
