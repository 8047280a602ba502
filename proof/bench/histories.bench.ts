import type pg from "pg";
import { withClient } from "../../test/postgres.ts";
import { checkHistories } from "../histories/check-histories.ts";
import { openHistoryShop } from "../histories/shop.ts";
import type { Bench } from "./bench.ts";
import { migrateDatabase, startBenchServer } from "./database.ts";
import { measureMs } from "./percentiles.ts";

export default {
	about: "Order histories: any order, repetition and loss of events ends in the same state",
	options: { runs: { type: "string" }, seed: { type: "string" }, shops: { type: "string" }, path: { type: "string" } },
	maxMs: () => 3_600_000,
	async measure({ smoke, given, undo, progress }) {
		const runs = Number(given.runs ?? (smoke ? 10 : 10_000));
		const seed = Number(given.seed ?? (smoke ? 20261121 : Date.now() % 2 ** 31));
		const path = given.path === undefined ? undefined : String(given.path);
		const shopCount = path ? 1 : Number(given.shops ?? (smoke ? 2 : 8));
		if (![runs, seed, shopCount].every((value) => Number.isSafeInteger(value) && value > 0))
			throw new Error("--runs, --seed and --shops must be whole numbers above 0");
		const server = await startBenchServer(undo, { fsync: "off", synchronous_commit: "off", full_page_writes: "off" });
		const template = await server.create("template");
		await migrateDatabase(template);
		process.env.NODE_ENV ??= "production"; // React renders the e-mails as in a real shop
		const shops = [];
		for (let number = 0; number < shopCount; number++) {
			const shop = await openHistoryShop(await server.create("histories", template));
			undo.defer(shop.close);
			shops.push(shop);
		}
		const onRun = (count: number) => count % Math.ceil(runs / 20) === 0 && progress(`${count} histories`);
		const started = performance.now();
		const { count, compared, ends, failure } = await checkHistories(shops, { runs, seed, path, onRun });
		const ms = performance.now() - started;
		if (failure !== null) throw new Error(failure);
		return {
			setting: [server.setting, `${shopCount} shops in one process, each with its own database; seed ${seed}`],
			options: `--runs ${runs} --seed ${seed}`,
			figures: [
				{
					label: "one history, from placing the order to comparing the books",
					unit: "ms",
					value: ms / count,
					goal: 60, // ten thousand in ten minutes
					details: [
						`${count} histories, with the unperturbed run of each, in ${(ms / 1000).toFixed(0)} s; none failed`,
						`${compared} ended in the class of the unperturbed run and were compared with it in everything; all kept the invariants`,
					],
					baseline: { value: await measureTransaction(template), label: "an empty transaction of the same PostgreSQL", maxRatio: 100_000 },
				},
			],
			tables: [
				{
					title: "How the orders ended",
					columns: ["end", "histories"],
					rows: [...ends].sort(([, a], [, b]) => b - a).map(([end, times]) => [end, String(times)]),
				},
			],
		};
	},
} satisfies Bench;

/** Milliseconds of an empty transaction on one connection. */
function measureTransaction(connection: pg.ClientConfig): Promise<number> {
	const times = 1000;
	return withClient(connection, async (client) => {
		const ms = await measureMs(async () => {
			for (let time = 0; time < times; time++) for (const statement of ["begin", "commit"]) await client.query(statement);
		});
		return ms / times;
	});
}
