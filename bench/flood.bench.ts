import { setTimeout as wait } from "node:timers/promises";
import { services } from "../app/catalogue/services.ts";
import type { Bench, BenchOptions, Figure } from "./bench.ts";
import { openClient, page } from "./client.ts";
import { addressOf, temporaryFolder } from "./database.ts";
import { placeOrder } from "./journey/delivery.ts";
import type { KnownCompany } from "./journey/searches.ts";
import { knownCompanies } from "./known-companies.ts";
import { shopArguments, startMeasured } from "./measured-server.ts";
import { percentile, spread } from "./percentiles.ts";

const floodClients = 20;

/** Milliseconds between two looks of a customer at their order. */
const pollEvery = 100;

interface Served {
	searchMs: number[];
	orderMs: number[];
	deliveredS: number[];
	/** Why a customer was not served. */
	failures: string[];
}

type Answers = Record<number, number>;

/** Twenty clients order and ask for whatever costs as fast as they can; meanwhile customers come, order, pay and wait for their extract. */
export default {
	about: "A flood of twenty clients, and the customers who come meanwhile",
	strict: true,
	async measure(options) {
		const { smoke, undo, progress } = options;
		const server = await options.server();
		const connection = await server.createFilled("shop");
		const shop = await startMeasured(undo, {
			args: shopArguments(),
			readyPath: "/readyz",
			environment: {
				...{ DATABASE_URL: addressOf(connection), DATA_DIR: temporaryFolder(undo), LOG_LEVEL: "silent" },
				// as the shop is by default, behind a proxy that says who asks
				...{ TRUSTED_PROXIES: "1", ORDER_LIMITS: "", READ_LIMITS: "" },
			},
		});
		const companies = await knownCompanies(connection);
		const count = smoke ? 2 : 15;
		const come = (first: number) => serveCustomers(options, { url: shop.url, companies, first, count, pause: smoke ? 200 : 1000 });

		progress("customers alone");
		const alone = await come(0);
		const floods: { what: string; served: Served; answers: Answers }[] = [];
		for (const [what, ipOf] of [
			["from one address", () => "198.51.100.1"],
			["from an address each", (index: number) => `203.0.113.${index}`],
		] as const) {
			progress(`a flood ${what}`);
			const ending = new AbortController();
			const flood = runFlood(options, { url: shop.url, companies, ipOf, ending: ending.signal });
			await wait(smoke ? 200 : 1000);
			const served = await come(1000 * (floods.length + 1));
			ending.abort();
			floods.push({ what, served, answers: await flood });
		}

		const all = [{ what: "alone", served: alone, answers: {} as Answers }, ...floods];
		const broken = all.flatMap(({ what, served, answers }) => [
			...served.failures.map((why) => `a customer (${what}) was not served: ${why}`),
			...Object.entries(answers)
				.filter(([status]) => Number(status) >= 500)
				.map(([status, times]) => `a flood ${what} was answered ${status}, ${times} times`),
		]);
		const slowed: Figure[] = floods.map(({ what, served }) => ({
			what: `A customer's order during a flood ${what}, p95`,
			unit: "ms",
			value: percentile(served.orderMs, 0.95),
			goal: 1000,
			bare: percentile(alone.orderMs, 0.95),
			bareWhat: "the same without a flood",
			details: [
				`orders ${spread(served.orderMs, "ms")}`,
				`searches ${spread(served.searchMs, "ms")}; alone ${spread(alone.searchMs, "ms")}`,
				`from paid to delivered ${spread(served.deliveredS, "s")}; alone ${spread(alone.deliveredS, "s")}`,
			],
			largestRatio: 500,
		}));
		const columns = ["flood", "customers", "served", "requests of the flood", "orders of the flood", "refused (429)"];
		const rows = floods.map(({ what, served, answers }) => {
			const requests = Object.values(answers).reduce((sum, times) => sum + times, 0);
			return [what, count, served.deliveredS.length, requests, answers[200] ?? 0, answers[429] ?? 0].map(String);
		});
		return { setting: [server.setting], figures: slowed, tables: [{ title: "Who was served", columns, rows }], broken };
	},
} satisfies Bench;

/** Customers who come one after another, each from an address of their own: search, order, pay, wait for the extract. */
async function serveCustomers(
	{ undo }: BenchOptions,
	{ url, companies, first, count, pause }: { url: string; companies: readonly KnownCompany[]; first: number; count: number; pause: number },
): Promise<Served> {
	const client = openClient(undo, url, count);
	const served: Served = { searchMs: [], orderMs: [], deliveredS: [], failures: [] };
	const customer = async (number: number) => {
		const headers = { "x-forwarded-for": `198.18.${Math.floor(number / 250)}.${number % 250}` };
		const company = companies[number % companies.length] as KnownCompany;
		served.searchMs.push((await page(client, `/recherche?q=${encodeURIComponent(company.name)}`, headers)).ms);
		const started = performance.now();
		const pay = await placeOrder(client, url, company, number, pollEvery, headers);
		served.orderMs.push(performance.now() - started);
		served.deliveredS.push(await pay());
	};
	const under = Array.from({ length: count }, async (_, index) => {
		await wait(index * pause);
		await customer(first + index).catch((error: Error) => served.failures.push(error.message));
	});
	await Promise.all(under);
	return served;
}

/** Each client asks for one thing after another, without a pause, until the signal. @returns how often which status was answered. */
async function runFlood(
	{ undo }: BenchOptions,
	{
		url,
		companies,
		ipOf,
		ending,
	}: { url: string; companies: readonly KnownCompany[]; ipOf: (index: number) => string; ending: AbortSignal },
): Promise<Answers> {
	const client = openClient(undo, url, floodClients);
	const answers: Answers = {};
	let asked = 0;
	await Promise.all(
		Array.from({ length: floodClients }, async (_, index) => {
			const headers = { "x-forwarded-for": ipOf(index) };
			while (!ending.aborted) {
				const number = asked++;
				const company = companies[number % companies.length] as KnownCompany;
				const { status } =
					number % 4 < 3
						? await client.ask("/api/create-payment", {
								method: "POST",
								headers: { ...headers, "content-type": "application/json" },
								body: unpaidOrder(company, number),
							})
						: await client.ask(costlyPaths[number % costlyPaths.length]?.(company) ?? "/", { headers });
				// only orders are counted as answered: whatever else is taken says nothing of them
				const counted = status === 200 && number % 4 === 3 ? 299 : status;
				answers[counted] = (answers[counted] ?? 0) + 1;
			}
		}),
	);
	return answers;
}

const unpaidOrder = ({ siren, name }: KnownCompany, number: number) =>
	JSON.stringify({
		orderData: { siren, companyName: name, serviceType: "express", amount: services.express.price, deliveryMethod: "email" },
		customerData: { email: `flood-${number}@bench.example`, firstName: "Camille", lastName: "Martin" },
	});

const costlyPaths: readonly ((company: KnownCompany) => string)[] = [
	({ name }) => `/recherche?q=${encodeURIComponent(name)}`,
	({ name }) => `/api/entreprises/suggestions?q=${encodeURIComponent(name.slice(0, 6))}`,
	() => "/api/adresse/search?q=a&limit=100",
	() => "/sitemap-entreprises-1.xml",
	({ city }) => `/api/entreprises?q=${encodeURIComponent(city)}`,
];
