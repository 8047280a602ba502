import { openClient } from "../../test/http-client.ts";
import type { Bench } from "./bench.ts";
import { startMeasuredShop } from "./measured-server.ts";
import { formatSpread, percentile } from "./percentiles.ts";

/** Forms with as many fields as their bytes allow, each the costliest that a parser can be given. */
const floods = [
	{ path: "/contact", field: "%e9&", times: 65_000 },
	{ path: "/commande/plusieurs", field: "%e9&", times: 127_000, start: "lignes=1&" },
	{ path: "/bureau/connexion", field: "a&", times: 120_000 },
] as const;

export default {
	about: "Three clients that send forms with as many fields as fit, and the health checks meanwhile",
	strict: true,
	async measure({ smoke, server: startServer, undo, progress }) {
		const server = await startServer();
		// the default limits, behind a proxy that names the client
		const limits = { TRUSTED_PROXIES: "1", READ_LIMITS: "", LOG_LEVEL: "silent" };
		const shop = await startMeasuredShop(undo, await server.createFilled("shop"), limits);
		const checker = openClient(undo, shop.url);
		const count = smoke ? 100 : 2000;
		async function check(): Promise<number[]> {
			const ms: number[] = [];
			for (let times = 0; times < count; times++) ms.push((await checker.ask("/healthz")).ms);
			return ms;
		}
		progress("health checks alone");
		await check();
		const alone = await check();
		progress("a flood of three clients");
		const ending = new AbortController();
		const statuses = new Map<number, number>();
		const clients = floods.map(async ({ path, field, times, ...more }, index) => {
			const client = openClient(undo, shop.url);
			const body = ("start" in more ? more.start : "") + field.repeat(times);
			const headers = { "x-forwarded-for": `198.51.100.${index + 1}`, "content-type": "application/x-www-form-urlencoded" };
			while (!ending.signal.aborted) {
				const { status } = await client.ask(path, { method: "POST", headers, body });
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
			}
		});
		const flooded = await check();
		ending.abort();
		await Promise.all(clients);
		return {
			setting: [server.setting, `${count} health checks, one after the other, without and with the flood`],
			figures: [
				{
					label: "A health check during the flood, p95",
					unit: "ms",
					value: percentile(flooded, 0.95),
					goal: 10 * percentile(alone, 0.95),
					details: [`${formatSpread(flooded, "ms")}; alone ${formatSpread(alone, "ms")}`],
					// a busy machine misses the goal by ten; a shop that parses such forms misses it by hundreds
					baseline: { value: percentile(alone, 0.95), label: "the same without a flood", maxRatio: 200 },
				},
			],
			tables: [
				{
					title: "Answers to the flood",
					columns: ["status", "count"],
					rows: [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => [`${status}`, `${times}`]),
				},
			],
			broken: [...statuses.keys()].filter((status) => status >= 500).map((status) => `the flood was answered ${status}`),
		};
	},
} satisfies Bench;
