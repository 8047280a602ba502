import { setTimeout as wait } from "node:timers/promises";
import { services } from "../../app/catalogue/services.ts";
import { openClient, page } from "../../test/http-client.ts";
import type { KnownCompany } from "../../test/known-companies.ts";
import { placeOrder } from "../../test/place-order.ts";

const floodClients = 20;
const pollMs = 100;

export interface Served {
	searchMs: number[];
	orderMs: number[];
	deliveryMs: number[];
	/** Why customers were not served. */
	failures: string[];
}

/** How often the flood got each status. Only orders count as 200: other requests that succeed are 299. */
export type Statuses = Record<number, number>;

export interface Target {
	url: string;
	companies: readonly KnownCompany[];
}

/** Customers who come one after the other, each from another address: search, order, pay, wait for the extract. */
export async function serveCustomers(
	undo: AsyncDisposableStack,
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
export async function runFlood(
	undo: AsyncDisposableStack,
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
