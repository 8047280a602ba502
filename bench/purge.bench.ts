import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { contentAddress } from "../app/documents/content-address.server.ts";
import { diskStorage } from "../app/documents/disk-storage.server.ts";
import { s3Storage } from "../app/documents/s3-storage.server.ts";
import type { DocumentStorage } from "../app/documents/storage.ts";
import { purge } from "../app/retention/purge.server.ts";
import { openDatabase } from "../server/database/database.ts";
import { forEachConcurrent } from "../server/for-each-concurrent.ts";
import { createLog } from "../server/observability/log.ts";
import type { Bench, BenchOptions } from "./bench.ts";
import { temporaryFolder, withClient } from "./database.ts";
import { freePort } from "./measured-server.ts";
import { bareDeletion, bareErasure, insertKeptOrders, insertOldOrders } from "./purge/old-orders.ts";

/** When the orders were made, when their customers are to be erased, and when the rest is to go. */
const made = new Date("2020-01-15T10:00:00Z");
const afterThreeYears = new Date("2024-01-15T10:00:00Z");
const afterTenYears = new Date("2031-01-15T10:00:00Z");

export default {
	about: "The nightly purge: orders erased after three years, deleted after ten, among others that are kept",
	options: { orders: { type: "string" }, kept: { type: "string" } },
	longest: () => 3_600_000,
	async measure({ smoke, asked, server: startServer, undo, progress }: BenchOptions) {
		const orders = Number(asked.orders ?? (smoke ? 400 : 50_000));
		const kept = Number(asked.kept ?? (smoke ? 400 : 30_000));
		const server = await startServer();
		progress(`${orders} old orders`);
		const filled = async (count: number) => {
			const connection = await server.createFilled("old_orders");
			await withClient(connection, (client) => insertOldOrders(client, count, made));
			return connection;
		};
		const old = await filled(orders);

		progress("the same rows by PostgreSQL alone");
		const bare = await server.create("bare", old);
		const [erasure, deletion] = await withClient(bare, async (client) => [
			await seconds(() => bareErasure(client, afterThreeYears)),
			await seconds(() => bareDeletion(client)),
		]);

		progress(`${kept} orders that are kept`);
		await withClient(old, (client) => insertKeptOrders(client, { orders: kept, after: orders, now: afterTenYears }));

		const measured: { where: string; count: number; erased: number; deleted: number; idle: number; left: number }[] = [];
		for (const { where, count, open } of [
			{ where: "files on disk", count: orders, open: filesOnDisk },
			// it takes longer to fill than to empty
			{ where: "files in a bucket", count: Math.ceil(orders / 10), open: filesInBucket },
		]) {
			progress(`${count} orders, ${where}`);
			const connection = count === orders ? old : await filled(count);
			const { storage, left } = await open(undo, count);
			progress("the purge");
			measured.push({ where, count, ...(await purgeThrice(connection, storage, left)) });
		}
		return {
			options: `--orders ${orders} --kept ${kept}`,
			setting: [
				server.setting,
				`${orders} orders with an extract and an invoice each, in batches of 200; the fake bucket (test/fakes/s3.ts), with a tenth of them, in a process of its own`,
				`beside the files on disk, ${kept} orders of the last three years, which every night passes over`,
			],
			figures: [
				{
					what: `A night with nothing to purge, among ${kept} kept orders`,
					unit: "ms" as const,
					value: 1000 * (measured[0]?.idle ?? 0),
					goal: 1000,
					details: ["all that a purge looks for, and the sweep of a folder"],
				},
				...measured.flatMap(({ where, count, erased, deleted }) => [
					{
						what: `Orders erased per second, ${where}`,
						unit: "/s" as const,
						value: count / erased,
						goal: 500,
						atLeast: true as const,
						bare: orders / erasure,
						bareWhat: "the same rows in one transaction, a statement for each table, nothing looked at, no file removed",
						details: [`${count} orders, one file of each, in ${erased.toFixed(1)} s`],
						largestRatio: 1000,
					},
					{
						what: `Orders deleted per second, ${where}`,
						unit: "/s" as const,
						value: count / deleted,
						goal: 500,
						atLeast: true as const,
						bare: orders / deletion,
						bareWhat: "the same rows in one transaction, a statement for each table, nothing looked at, no file removed",
						details: [`${count} orders, the last file of each, in ${deleted.toFixed(1)} s`],
						largestRatio: 1000,
					},
				]),
			],
			broken: measured.flatMap(({ where, left }) => (left > 0 ? [`${left} rows or files are left: ${where}`] : [])),
		};
	},
} satisfies Bench;

/** The purge of one night three years later, of one ten years later, and of the next. @returns seconds of each, and what is left though it should not be. */
async function purgeThrice(connection: pg.ClientConfig, storage: DocumentStorage, filesLeft: () => Promise<number>) {
	const log = createLog("silent");
	const { db } = openDatabase(connection, log);
	const at = (now: Date) => seconds(() => purge({ db, log, storage, now: () => now }));
	const [erased, deleted, idle] = [await at(afterThreeYears), await at(afterTenYears), await at(afterTenYears)];
	const old = db.selectFrom("orders").where("created_at", "<=", made);
	const left = await old.select(db.fn.countAll<string>().as("rows")).executeTakeFirstOrThrow();
	await db.destroy();
	return { erased, deleted, idle, left: Number(left.rows) + (await filesLeft()) };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work();
	return (performance.now() - started) / 1000;
}

/** The files that insertOldOrders names: see there. */
function* contents(orders: number): Generator<Uint8Array> {
	for (let n = 1; n <= orders; n++) for (const type of ["kbis", "invoice"]) yield new TextEncoder().encode(`${type} ${n}`);
}

/** Written without the care of `put`, which is not what is measured. */
async function filesOnDisk(undo: AsyncDisposableStack, orders: number) {
	const folder = temporaryFolder(undo);
	for (let byte = 0; byte < 256; byte++) mkdirSync(join(folder, byte.toString(16).padStart(2, "0")));
	const paths: string[] = [];
	for (const bytes of contents(orders)) {
		const { path } = contentAddress(bytes);
		paths.push(path);
		writeFileSync(join(folder, path), bytes);
	}
	const storage = diskStorage(folder);
	return { storage, left: () => countReadable(storage, paths) };
}

async function filesInBucket(undo: AsyncDisposableStack, orders: number) {
	const child = spawn(process.execPath, ["test/fakes/s3.ts", "--port", String(await freePort())], { stdio: ["ignore", "pipe", "inherit"] });
	undo.defer(async () => {
		const gone = once(child, "exit");
		child.kill("SIGTERM");
		await gone;
	});
	let said = "";
	for await (const chunk of child.stdout) {
		said += chunk;
		if (said.includes("npm start")) break;
	}
	const named = (name: string) => new RegExp(`${name}=(\\S+)`).exec(said)?.[1] ?? "";
	const keys = { accessKeyId: named("S3_ACCESS_KEY_ID"), secretAccessKey: named("S3_SECRET_ACCESS_KEY") };
	const storage = s3Storage({ endpoint: named("S3_ENDPOINT"), bucket: named("S3_BUCKET"), region: "us-east-1", ...keys });
	const paths: string[] = [];
	await forEachConcurrent(32, contents(orders), async (bytes) => void paths.push((await storage.put(bytes)).path));
	return { storage, left: () => countReadable(storage, paths) };
}

/** How many of some of these files can still be read. */
async function countReadable(storage: DocumentStorage, paths: readonly string[]): Promise<number> {
	const step = Math.ceil(paths.length / 200);
	let readable = 0;
	for (let at = 0; at < paths.length; at += step) {
		await storage.get(paths[at] ?? "").then(
			() => readable++,
			() => {},
		);
	}
	return readable;
}
