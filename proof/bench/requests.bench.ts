import { checkRequests } from "../requests/check-requests.ts";
import type { Bench } from "./bench.ts";
import { startMeasuredShop } from "./measured-server.ts";

export default {
	about: "Random requests at every address: none causes a fault, none gets back what it injected",
	options: { requests: { type: "string" }, seed: { type: "string" } },
	maxMs: () => 1_800_000,
	strict: true,
	async measure({ smoke, given, server: startServer, undo, progress }) {
		const requests = Number(given.requests ?? (smoke ? 800 : 40_000));
		const seed = Number(given.seed ?? 20261122);
		progress(`a shop; seed ${seed}`);
		const server = await startServer();
		const shop = await startMeasuredShop(undo, await server.createFilled("shop"));
		progress(`${requests} requests`);
		const { statuses, faults, seconds } = await checkRequests(shop.url, { requests, seed, progress });
		return {
			options: `--requests ${requests} --seed ${seed}`,
			setting: [server.setting, `${requests} requests over all routes, seed ${seed}; no rate limits`],
			figures: [
				{
					label: "Faults",
					unit: "",
					value: faults.length,
					goal: 0,
					details: [`${requests} requests in ${seconds.toFixed(0)} s, ${Math.round(requests / seconds)} a second`],
				},
			],
			tables: [
				{
					title: "Answers",
					columns: ["status", "count"],
					rows: [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => [status === 0 ? "none" : `${status}`, `${count}`]),
				},
			],
			broken: faults.slice(0, 50),
		};
	},
} satisfies Bench;
