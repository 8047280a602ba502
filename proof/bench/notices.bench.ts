import { totalmem } from "node:os";
import type pg from "pg";
import { listBulletinNotices } from "../../app/companies/bulletin/bulletin.server.ts";
import { openDatabase } from "../../server/database/database.ts";
import { createLog } from "../../server/observability/log.ts";
import { withClient } from "../../test/postgres.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Bench, Figure } from "./bench.ts";
import { startBenchServer } from "./database.ts";
import { loadHttp } from "./load.ts";
import { startMeasuredShop } from "./measured-server.ts";
import { type NoticeFile, writeNotices } from "./notices/notice-file.ts";
import { runCopy, runImport } from "./notices/programs.ts";
import { formatFigure, formatSpread, measureEach, percentile } from "./percentiles.ts";
import { type Filled, rowsPerSecond } from "./programs.ts";
import { measureTables, totalBytes } from "./search/programs.ts";

const seed = 20261125;
/** Notices of the bulletin on 20 September 2026. */
const allNotices = 50_722_116;
const megabyte = 2 ** 20;

export default {
	about: "Notices of the bulletin: import, disk, reading",
	options: { notices: { type: "string" } },
	maxMs: ({ given }) => 300_000 + 0.4 * Number(given.notices ?? 2_000_000),
	async measure({ smoke, given, undo, progress, server: startServer }) {
		const notices = Number(given.notices ?? (smoke ? 3000 : 2_000_000));
		const companies = smoke ? 40 : 1500;
		const server = smoke ? await startServer() : await startBenchServer(undo, settings());
		const [connection, empty] = [await server.createFilled("notices"), await server.createFilled("no_notices")];
		for (const database of [connection, empty])
			await withClient(database, (client) => client.query("truncate bulletin_notices, bulletin_corrections, bulletin_readings"));
		const sirens = await listSirens(connection);
		progress(`${notices} generated notices`);
		const file = await writeNotices(temporaryFolder(undo), { notices, known: sirens, seed });
		progress("COPY of the lines");
		const copied = await runCopy(undo, empty, file.file);
		progress("import");
		const imported = await runImport(undo, connection, file.file);
		await withClient(connection, (client) => client.query("checkpoint"));
		const disk = await measureDisk(connection);
		progress("import of the same file");
		const again = await runImport(undo, connection, file.file);
		progress("notices of a company");
		const read = await measureReading({ connection, empty }, sirens.slice(0, companies));
		progress("pages of companies");
		const pages = await measurePages(undo, { connection, empty }, sirens.slice(0, smoke ? 40 : 600));
		return {
			setting: [
				server.setting,
				`${notices} notices, generated with the bulletin's shapes and shares of families (seed ${seed}), ${file.natural} of them about natural persons only; about ${sirens.length} companies of the sample have some`,
			],
			options: `--notices ${notices}`,
			figures: [...importFigures({ copied, imported, again }), diskFigure(file, disk), ...readingFigures(read, pages)],
			broken:
				disk.rows < notices - file.natural
					? [`${disk.rows} rows of notices are stored, at least ${notices - file.natural} were expected`]
					: [],
		};
	},
} satisfies Bench;

/** Settings for tables of this size. */
function settings(): Record<string, string> {
	const gigabytes = totalmem() / 2 ** 30;
	return { shared_buffers: `${Math.round(1024 * Math.min(2, gigabytes / 8))}MB`, max_wal_size: "4GB" };
}

interface Databases {
	connection: pg.ClientConfig;
	/** The same companies without notices. */
	empty: pg.ClientConfig;
}

async function listSirens(connection: pg.ClientConfig): Promise<string[]> {
	const { rows } = await withClient(connection, (client) =>
		client.query<{ siren: string }>("select siren from companies where not masked order by md5(siren)"),
	);
	return rows.map(({ siren }) => siren);
}

async function measureDisk(connection: pg.ClientConfig): Promise<{ rows: number; table: number; indexes: number; bytes: number }> {
	const tables = await measureTables(connection, ["bulletin_notices", "bulletin_corrections", "bulletin_texts"]);
	const { rows } = await withClient(connection, (client) =>
		client.query<{ rows: number }>("select count(*)::integer as rows from bulletin_notices"),
	);
	const sum = (part: "rows" | "indexes" | "toast") => tables.reduce((total, table) => total + table[part], 0);
	return { rows: rows[0]?.rows ?? 0, table: sum("rows") + sum("toast"), indexes: sum("indexes"), bytes: totalBytes(tables) };
}

/** Milliseconds of listBulletinNotices for each company, by turns with and without notices in the tables. */
async function measureReading({ connection, empty }: Databases, sirens: readonly string[]) {
	const databases = [connection, empty].map((database) => openDatabase({ ...database, max: 1 }, createLog("silent")).db);
	let listed = 0;
	const latencies: [number[], number[]] = [[], []];
	for (let at = 0; at < sirens.length; at += 20) {
		for (const [which, db] of databases.entries()) {
			const batch = sirens.slice(at, at + 20);
			const list = async (siren: string) => {
				listed += (await listBulletinNotices(db, siren)).length;
			};
			latencies[which as 0 | 1].push(...(await measureEach(batch, list)));
		}
	}
	for (const db of databases) await db.destroy();
	return { full: latencies[0], empty: latencies[1], perCompany: listed / sirens.length };
}

/** Milliseconds of /entreprise/:siren, each rendered once, by turns with and without notices. */
async function measurePages(undo: AsyncDisposableStack, { connection, empty }: Databases, sirens: readonly string[]) {
	const servers = [await startMeasuredShop(undo, connection), await startMeasuredShop(undo, empty)];
	const latencies: [number[], number[]] = [[], []];
	const size = 20;
	for (let at = 0; at < sirens.length; at += size) {
		const paths = sirens.slice(at, at + size).map((siren) => `/entreprise/${siren}`);
		for (const [which, { url }] of servers.entries()) {
			const { latencies: batch } = await loadHttp({ url, paths }, { amount: paths.length });
			// the first pages load what all need
			if (at > 0) latencies[which as 0 | 1].push(...batch);
		}
	}
	for (const server of servers) await server.stop();
	return { full: latencies[0], empty: latencies[1] };
}

const p95 = (latencies: readonly number[]) => percentile(latencies, 0.95);

function importFigures({ copied, imported, again }: Record<"copied" | "imported" | "again", Filled>): Figure[] {
	const label = "the lines copied unread into a table without an index";
	return [
		{
			...{ label: "Import, notices", unit: "/s", value: rowsPerSecond(imported), goal: 15_000, atLeast: true },
			details: [`${imported.rows} notices in ${formatFigure(imported.ms / 1000)} s`],
			baseline: { value: rowsPerSecond(copied), label, maxRatio: 100 },
		},
		{
			// a share of a busy machine says little: this is what the import needs of it
			...{ label: "– processor time of Node for a notice", unit: "ms", value: (imported.cpu ?? 0) / imported.rows, goal: 1000 / 15_000 },
			baseline: { value: (copied.cpu ?? 0) / copied.rows, label, maxRatio: 200 },
		},
		{
			...{ label: "– highest memory", unit: "MB", value: imported.peak / megabyte, goal: 200 },
			baseline: { value: copied.peak / megabyte, label, maxRatio: 4 },
		},
		{
			...{ label: "– the same file once more", unit: "s", value: again.ms / 1000, goal: Math.max(1, imported.ms / 1000) },
			baseline: { value: imported.ms / 1000, label: "the first import", maxRatio: 4 },
		},
	];
}

function diskFigure({ notices, natural }: NoticeFile, { rows, table, indexes, bytes }: Awaited<ReturnType<typeof measureDisk>>): Figure {
	const perRow = (part: number) => formatFigure(part / rows);
	return {
		...{ label: "Disk of all notices of the bulletin", unit: "MB", goal: 12 * 1024, value: ((bytes / notices) * allNotices) / megabyte },
		details: [
			`${perRow(bytes)} bytes for each stored notice: ${perRow(table)} in tables, ${perRow(indexes)} in indexes`,
			`times ${allNotices} notices, of which as many are skipped as here (${formatFigure((100 * natural) / notices)} %)`,
			`with none skipped ${formatFigure(((bytes / rows) * allNotices) / megabyte)} MB`,
		],
	};
}

function readingFigures(
	read: { full: number[]; empty: number[]; perCompany: number },
	pages: { full: number[]; empty: number[] },
): Figure[] {
	return [
		{
			...{ label: "Notices of a company, p95", unit: "ms", value: p95(read.full), goal: 5 },
			details: [`${formatFigure(read.perCompany)} notices each; ${formatSpread(read.full, "ms")}`],
			baseline: { value: p95(read.empty), label: "with empty tables", maxRatio: 20 },
		},
		{
			...{ label: "Page of a company, p95", unit: "ms", value: p95(pages.full), goal: 1.1 * p95(pages.empty) },
			details: [formatSpread(pages.full, "ms")],
			baseline: { value: p95(pages.empty), label: "with empty tables", maxRatio: 5 },
		},
	];
}
