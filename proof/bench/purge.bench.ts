import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { purge } from "../../app/desk/retention/purge.server.ts";
import { contentAddress } from "../../app/orders/documents/content-address.server.ts";
import { diskStorage } from "../../app/orders/documents/disk-storage.server.ts";
import { s3Storage } from "../../app/orders/documents/s3-storage.server.ts";
import type { DocumentStorage } from "../../app/orders/documents/storage.ts";
import { openDatabase } from "../../server/database/database.ts";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { forEachConcurrent } from "../../server/for-each-concurrent.ts";
import { createLog } from "../../server/observability/log.ts";
import { freePort } from "../../test/free-port.ts";
import { withClient } from "../../test/postgres.ts";
import { stopProcess } from "../../test/processes.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Bench, Figure } from "./bench.ts";
import { measureMs } from "./percentiles.ts";
import { anonymiseOrders, deleteOrders, insertKeptOrders, insertOldOrders } from "./purge/old-orders.ts";

/** The day of the orders, the day when their customers are erased, and the day when the rest is deleted. */
const orderedAt = new Date("2020-01-15T10:00:00Z");
const afterThreeYears = new Date("2024-01-15T10:00:00Z");
const afterTenYears = new Date("2031-01-15T10:00:00Z");

export default {
	about: "The nightly purge: orders erased after three years, deleted after ten",
	options: { orders: { type: "string" }, kept: { type: "string" } },
	maxMs: () => 3_600_000,
	async measure({ smoke, given, server: startServer, undo, progress }) {
		const orders = Number(given.orders ?? (smoke ? 400 : 50_000));
		const kept = Number(given.kept ?? (smoke ? 400 : 30_000));
		const server = await startServer();
		progress(`${orders} old orders`);
		const createOldOrders = async (count: number) => {
			const connection = await server.createFilled("old_orders");
			await withClient(connection, (client) => insertOldOrders(client, count, orderedAt));
			return connection;
		};
		const old = await createOldOrders(orders);

		progress("the same rows by PostgreSQL alone");
		const baseline = await withClient(await server.create("baseline", old), async (client) => ({
			erasedMs: await measureMs(() => anonymiseOrders(client, afterThreeYears)),
			deletedMs: await measureMs(() => deleteOrders(client)),
		}));

		progress(`${kept} orders that are kept`);
		await withClient(old, (client) => insertKeptOrders(client, { orders: kept, after: orders, now: afterTenYears }));

		progress(`${orders} orders, files on disk`);
		const onDisk = { where: "files on disk", count: orders, ...(await measurePurges(old, await createFilesOnDisk(undo, orders))) };
		const fewer = Math.ceil(orders / 10); // a bucket takes longer to fill than to empty
		progress(`${fewer} orders, files in a bucket`);
		const files = await createFilesInBucket(undo, fewer);
		const inBucket = { where: "files in a bucket", count: fewer, ...(await measurePurges(await createOldOrders(fewer), files)) };

		const rate = (verb: "erased" | "deleted", { where, count, ...purged }: typeof onDisk): Figure => ({
			label: `Orders ${verb} per second, ${where}`,
			unit: "/s",
			value: (1000 * count) / purged[`${verb}Ms`],
			goal: 500,
			atLeast: true,
			details: [
				`${count} orders, ${verb === "erased" ? "one file" : "the last file"} each, in ${(purged[`${verb}Ms`] / 1000).toFixed(1)} s`,
			],
			baseline: {
				value: (1000 * orders) / baseline[`${verb}Ms`],
				label: "the same rows in one transaction, one statement for each table, no check and no file to delete",
				maxRatio: 1000,
			},
		});
		return {
			options: `--orders ${orders} --kept ${kept}`,
			setting: [
				server.setting,
				`${orders} orders, each with an extract and an invoice, in batches of 200; the fake bucket (test/fakes/s3.ts) holds a tenth of them and runs in its own process`,
				`beside the files on disk, ${kept} orders of the last three years, which are not due`,
			],
			figures: [
				{
					label: `A night with nothing to purge, among ${kept} kept orders`,
					unit: "ms",
					value: onDisk.idleMs,
					goal: 1000,
					details: ["all queries of a purge, and the sweep of a folder"],
				},
				...[onDisk, inBucket].flatMap((measured) => [rate("erased", measured), rate("deleted", measured)]),
			],
			broken: [onDisk, inBucket].flatMap(({ where, left }) => (left > 0 ? [`${left} rows or files are left: ${where}`] : [])),
		};
	},
} satisfies Bench;

interface Files {
	storage: DocumentStorage;
	paths: string[];
}

/** The purge of a night after three years, of one after ten, and of the next. `left`: rows and files that should be gone. */
async function measurePurges(connection: pg.ClientConfig, { storage, paths }: Files) {
	const log = createLog("silent");
	const { db } = openDatabase(connection, log);
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the bench that is long enough to sign" });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const { environment } = parsed;
	const purgeAt = (now: Date) => measureMs(() => purge({ db, environment, log, storage, now: () => now }));
	const [erasedMs, deletedMs, idleMs] = [await purgeAt(afterThreeYears), await purgeAt(afterTenYears), await purgeAt(afterTenYears)];
	const old = db.selectFrom("orders").where("created_at", "<=", orderedAt);
	const left = await old.select(db.fn.countAll<string>().as("rows")).executeTakeFirstOrThrow();
	await db.destroy();
	return { erasedMs, deletedMs, idleMs, left: Number(left.rows) + (await countReadable(storage, paths)) };
}

/** The contents of the files that insertOldOrders names. */
function* fileContents(orders: number): Generator<Uint8Array> {
	for (let n = 1; n <= orders; n++) for (const type of ["kbis", "invoice"]) yield new TextEncoder().encode(`${type} ${n}`);
}

/** Writes the files directly: `put`, which syncs each of them, is not measured. */
async function createFilesOnDisk(undo: AsyncDisposableStack, orders: number): Promise<Files> {
	const folder = temporaryFolder(undo);
	for (let byte = 0; byte < 256; byte++) mkdirSync(join(folder, byte.toString(16).padStart(2, "0")));
	const paths: string[] = [];
	for (const bytes of fileContents(orders)) {
		const { path } = contentAddress(bytes);
		paths.push(path);
		writeFileSync(join(folder, path), bytes);
	}
	return { storage: diskStorage(folder), paths };
}

async function createFilesInBucket(undo: AsyncDisposableStack, orders: number): Promise<Files> {
	const child = spawn(process.execPath, ["test/fakes/s3.ts", "--port", String(await freePort())], { stdio: ["ignore", "pipe", "inherit"] });
	undo.defer(() => stopProcess(child));
	let output = "";
	for await (const chunk of child.stdout) {
		output += chunk;
		if (output.includes("npm start")) break;
	}
	const variable = (name: string) => new RegExp(`${name}=(\\S+)`).exec(output)?.[1] ?? "";
	const keys = { accessKeyId: variable("S3_ACCESS_KEY_ID"), secretAccessKey: variable("S3_SECRET_ACCESS_KEY") };
	const bucket = { endpoint: variable("S3_ENDPOINT"), bucket: variable("S3_BUCKET"), region: "us-east-1", ...keys };
	const storage = s3Storage(bucket);
	const paths: string[] = [];
	await forEachConcurrent(32, fileContents(orders), async (bytes) => void paths.push((await storage.put(bytes)).path));
	return { storage, paths };
}

/** How many of some two hundred of these files can still be read. */
async function countReadable(storage: DocumentStorage, paths: readonly string[]): Promise<number> {
	const step = Math.ceil(paths.length / 200);
	const sample = paths.filter((_, index) => index % step === 0);
	const readable = await Promise.all(
		sample.map((path) =>
			storage.get(path).then(
				() => true,
				() => false,
			),
		),
	);
	return readable.filter(Boolean).length;
}
