import type pg from "pg";
import { openDatabase } from "../server/database/database.ts";
import { migrate } from "../server/database/migrate.ts";
import { createLog } from "../server/observability/log.ts";
import { checkHistories } from "../test/histories/check-histories.ts";
import { openHistoryShop } from "../test/histories/shop.ts";
import type { Bench } from "./bench.ts";
import { startBenchServer, withClient } from "./database.ts";

const usualRuns = 10_000;
const smokeRuns = 50;

export default {
	about: "Histories of orders: any order, repetition and loss of events ends in the same state",
	options: { runs: { type: "string" }, seed: { type: "string" }, shops: { type: "string" }, path: { type: "string" } },
	longest: () => 3_600_000,
	async measure({ smoke, asked, undo, progress }) {
		const runs = Number(asked.runs ?? (smoke ? smokeRuns : usualRuns));
		const seed = Number(asked.seed ?? (smoke ? 20261121 : Date.now() % 2 ** 31));
		const path = asked.path === undefined ? undefined : String(asked.path);
		const shops = path ? 1 : Number(asked.shops ?? (smoke ? 2 : 8));
		if (![runs, seed, shops].every((given) => Number.isSafeInteger(given) && given > 0))
			throw new Error("--runs, --seed and --shops want whole numbers above 0");
		const server = await startBenchServer(undo, { fsync: "off", synchronous_commit: "off", full_page_writes: "off" });
		const template = await server.create("template");
		const { db } = openDatabase(template, createLog("silent"));
		await migrate(db);
		await db.destroy();
		process.env.NODE_ENV ??= "production"; // React draws the mails as it does in a real shop
		const places = [];
		for (let at = 0; at < shops; at++) {
			const place = await openHistoryShop(await server.create("histories", template));
			undo.defer(place.close);
			places.push(place);
		}
		const started = performance.now();
		const { played, compared, ends, failure } = await checkHistories(places, {
			runs,
			seed,
			path,
			onPlayed: (count) => count % Math.ceil(runs / 20) === 0 && progress(`${count} histories`),
		});
		const seconds = (performance.now() - started) / 1000;
		if (failure !== null) throw new Error(failure);
		return {
			setting: [server.setting, `${shops} shops side by side in one process, a database each; seed ${seed}`],
			options: `--runs ${runs} --seed ${seed}`,
			figures: [
				{
					what: "a history, from the order to the comparison of the books",
					unit: "ms",
					value: (seconds * 1000) / played,
					goal: 60, // ten thousand in ten minutes
					bare: await timeTransaction(template),
					bareWhat: "an empty transaction of the same PostgreSQL",
					largestRatio: 100_000,
					details: [
						`${played} histories and the scenarios of them undisturbed, in ${seconds.toFixed(0)} s; none went wrong`,
						`${compared} ended in the class of the undisturbed one and were compared with it in everything; all kept what must always hold`,
					],
				},
			],
			tables: [
				{
					title: "How they ended",
					columns: ["end", "histories"],
					rows: [...ends].sort(([, a], [, b]) => b - a).map(([end, count]) => [end, String(count)]),
				},
			],
		};
	},
} satisfies Bench;

/** @returns milliseconds, on one connection. */
function timeTransaction(connection: pg.ClientConfig): Promise<number> {
	const times = 1000;
	return withClient(connection, async (client) => {
		const started = performance.now();
		for (let i = 0; i < times; i++) for (const statement of ["begin", "commit"]) await client.query(statement);
		return (performance.now() - started) / times;
	});
}
