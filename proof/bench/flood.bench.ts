import { setTimeout as wait } from "node:timers/promises";
import { knownCompanies } from "../../test/known-companies.ts";
import { runFlood, type Served, type Statuses, serveCustomers } from "../flood/flood.ts";
import type { Bench, Figure } from "./bench.ts";
import { startMeasuredShop } from "./measured-server.ts";
import { formatSpread, percentile } from "./percentiles.ts";

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
		const serve = (first: number) => serveCustomers(undo, target, { first, count, pause: smoke ? 200 : 1000 });

		progress("customers alone");
		const alone = await serve(0);
		const floods: { source: string; served: Served; statuses: Statuses }[] = [];
		for (const [source, getIp] of [
			["from one address", () => "198.51.100.1"],
			["from an address each", (index: number) => `203.0.113.${index}`],
		] as const) {
			progress(`a flood ${source}`);
			const ending = new AbortController();
			const flood = runFlood(undo, target, getIp, ending.signal);
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
