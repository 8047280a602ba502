import { setTimeout as wait } from "node:timers/promises";
import { services } from "../app/catalogue/services.ts";
import { openClient, page } from "../test/http-client.ts";
import { type KnownCompany, knownCompanies } from "../test/known-companies.ts";
import type { Bench, BenchOptions, Figure } from "./bench.ts";
import { placeOrder } from "./journey/delivery.ts";
import { startMeasuredShop } from "./measured-server.ts";
import { formatSpread, percentile } from "./percentiles.ts";

const floodClients = 20;
const pollMs = 100;

interface Served {
	searchMs: number[];
	orderMs: number[];
	deliveryMs: number[];
	/** Why customers were not served. */
	failures: string[];
}

/** How often the flood got each status. Only orders count as 200: other requests that succeed are 299. */
type Statuses = Record<number, number>;

interface Target {
	url: string;
	companies: readonly KnownCompany[];
}

export default {
	about: "A flood of twenty clients, and the customers who come meanwhile",
	strict: true,
	async measure(options) {
		const { smoke, undo, progress } = options;
		const server = await options.server();
		const connection = await server.createFilled("shop");
		// the default limits, behind a proxy that names the client
		const limits = { TRUSTED_PROXIES: "1", ORDER_LIMITS: "", READ_LIMITS: "", LOG_LEVEL: "silent" };
		const shop = await startMeasuredShop(undo, connection, limits);
		const target = { url: shop.url, companies: await knownCompanies(connection) };
		const count = smoke ? 2 : 15;
		const serve = (first: number) => serveCustomers(options, target, { first, count, pause: smoke ? 200 : 1000 });

		progress("customers alone");
		const alone = await serve(0);
		const floods: { source: string; served: Served; statuses: Statuses }[] = [];
		for (const [source, getIp] of [
			["from one address", () => "198.51.100.1"],
			["from an address each", (index: number) => `203.0.113.${index}`],
		] as const) {
			progress(`a flood ${source}`);
			const ending = new AbortController();
			const flood = runFlood(options, target, getIp, ending.signal);
			await wait(smoke ? 200 : 1000);
			const served = await serve(1000 * (floods.length + 1));
			ending.abort();
			floods.push({ source, served, statuses: await flood });
		}
		const measured = [{ source: "alone", served: alone, statuses: {} as Statuses }, ...floods];
		return {
			setting: [server.setting],
			figures: floods.map(({ source, served }) => orderFigure(source, served, alone)),
			tables: [
				{
					title: "Who was served",
					columns: ["flood", "customers", "served", "requests of the flood", "orders of the flood", "refused (429)"],
					rows: floods.map(({ source, served, statuses }) => {
						const requests = Object.values(statuses).reduce((sum, times) => sum + times, 0);
						return [source, count, served.deliveryMs.length, requests, statuses[200] ?? 0, statuses[429] ?? 0].map(String);
					}),
				},
			],
			broken: measured.flatMap(({ source, served, statuses }) => [
				...served.failures.map((why) => `a customer (${source}) was not served: ${why}`),
				...Object.entries(statuses)
					.filter(([status]) => Number(status) >= 500)
					.map(([status, times]) => `a flood ${source} was answered ${status}, ${times} times`),
			]),
		};
	},
} satisfies Bench;

function orderFigure(source: string, served: Served, alone: Served): Figure {
	return {
		label: `A customer's order during a flood ${source}, p95`,
		unit: "ms",
		value: percentile(served.orderMs, 0.95),
		goal: 1000,
		details: [
			`orders ${formatSpread(served.orderMs, "ms")}`,
			`searches ${formatSpread(served.searchMs, "ms")}; alone ${formatSpread(alone.searchMs, "ms")}`,
			`from paid to delivered ${formatSpread(served.deliveryMs, "ms")}; alone ${formatSpread(alone.deliveryMs, "ms")}`,
		],
		baseline: { value: percentile(alone.orderMs, 0.95), label: "the same without a flood", maxRatio: 500 },
	};
}

/** Customers who come one after the other, each from another address: search, order, pay, wait for the extract. */
async function serveCustomers(
	{ undo }: BenchOptions,
	{ url, companies }: Target,
	{ first, count, pause }: { first: number; count: number; pause: number },
): Promise<Served> {
	const client = openClient(undo, url, count);
	const served: Served = { searchMs: [], orderMs: [], deliveryMs: [], failures: [] };
	const serve = async (number: number) => {
		const headers = { "x-forwarded-for": `198.18.${Math.floor(number / 250)}.${number % 250}` };
		const company = companies[number % companies.length] as KnownCompany;
		served.searchMs.push((await page(client, `/recherche?q=${encodeURIComponent(company.name)}`, headers)).ms);
		const started = performance.now();
		const pay = await placeOrder(client, url, company, { number, pollMs, headers });
		served.orderMs.push(performance.now() - started);
		served.deliveryMs.push(await pay());
	};
	const customers = Array.from({ length: count }, async (_, index) => {
		await wait(index * pause);
		await serve(first + index).catch((error: Error) => served.failures.push(error.message));
	});
	await Promise.all(customers);
	return served;
}

/** Clients that send one request after the other without a pause until the signal: three orders, then an expensive page. */
async function runFlood(
	{ undo }: BenchOptions,
	{ url, companies }: Target,
	getIp: (index: number) => string,
	ending: AbortSignal,
): Promise<Statuses> {
	const client = openClient(undo, url, floodClients);
	const statuses: Statuses = {};
	let sent = 0;
	const clients = Array.from({ length: floodClients }, async (_, index) => {
		const headers = { "x-forwarded-for": getIp(index) };
		while (!ending.aborted) {
			const number = sent++;
			const company = companies[number % companies.length] as KnownCompany;
			const isOrder = number % 4 < 3;
			const { status } = isOrder
				? await client.ask("/api/create-payment", {
						method: "POST",
						headers: { ...headers, "content-type": "application/json" },
						body: formatUnpaidOrder(company, number),
					})
				: await client.ask(expensivePaths[number % expensivePaths.length]?.(company) ?? "/", { headers });
			const counted = status === 200 && !isOrder ? 299 : status;
			statuses[counted] = (statuses[counted] ?? 0) + 1;
		}
	});
	await Promise.all(clients);
	return statuses;
}

const formatUnpaidOrder = ({ siren, name }: KnownCompany, number: number) =>
	JSON.stringify({
		orderData: { siren, companyName: name, serviceType: "express", amount: services.express.price, deliveryMethod: "email" },
		customerData: { email: `flood-${number}@bench.example`, firstName: "Camille", lastName: "Martin" },
	});

const expensivePaths: readonly ((company: KnownCompany) => string)[] = [
	({ name }) => `/recherche?q=${encodeURIComponent(name)}`,
	({ name }) => `/api/entreprises/suggestions?q=${encodeURIComponent(name.slice(0, 6))}`,
	() => "/api/adresse/search?q=a&limit=100",
	() => "/sitemap-entreprises-1.xml",
	({ city }) => `/api/entreprises?q=${encodeURIComponent(city)}`,
];
