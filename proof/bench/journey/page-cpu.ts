import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type pg from "pg";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { loadHttp } from "../load.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { formatFigure } from "../percentiles.ts";
import { measureSearchAlone } from "./search-page.ts";

interface Subjects {
	shop: MeasuredServer;
	fixed: MeasuredServer;
	connection: pg.ClientConfig;
	paths: readonly string[];
	html: Buffer;
}

/** CPU that the shop's process spends on one page of results; PostgreSQL is not counted. */
export async function measurePageCpu({ smoke, undo }: BenchOptions, { shop, fixed, connection, paths, html }: Subjects): Promise<Figure> {
	const times = smoke ? 15 : 1500;
	const perPage = await measureCpu(shop, paths, times);
	const perFixedPage = await measureCpu(fixed, paths, times);
	const rendered = await renderElements(undo, html, times);
	const search = await measureSearchAlone(connection, paths, Math.ceil(times / paths.length));
	const idle = await measureIdleCpu(shop, smoke ? 50 : 1000);
	return {
		label: "CPU of a page of nine results",
		unit: "ms",
		value: perPage,
		goal: 1,
		details: [
			`user and system time of the whole Node process over ${times} uncompressed pages, PostgreSQL not counted`,
			`of it the search and its SQL driver, measured alone: ${formatFigure(search.cpu)} ms (${Math.round((100 * search.cpu) / perPage)} %)`,
			`an idle second, with jobs waiting: ${formatFigure(idle)} ms`,
		],
		baseline: {
			value: rendered.ms + perFixedPage,
			label: `renderToString of the same ${rendered.elements} elements (${formatFigure(rendered.ms)}) and a fixed answer by Hono (${formatFigure(perFixedPage)})`,
			maxRatio: 60,
		},
	};
}

async function measureCpu(server: MeasuredServer, paths: readonly string[], amount: number): Promise<number> {
	const load = () => loadHttp({ url: server.url, paths }, { amount });
	await load(); // until all of it is compiled
	const before = await server.usage();
	await load();
	return ((await server.usage()).cpu - before.cpu) / amount;
}

async function measureIdleCpu(server: MeasuredServer, ms: number): Promise<number> {
	const before = await server.usage();
	await wait(ms);
	return (((await server.usage()).cpu - before.cpu) * 1000) / ms;
}

async function renderElements(undo: AsyncDisposableStack, html: Buffer, times: number): Promise<{ ms: number; elements: number }> {
	const file = join(temporaryFolder(undo), "page.html");
	writeFileSync(file, html);
	const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL("./render-elements.ts", import.meta.url))], {
		env: { ...process.env, NODE_ENV: "production", PAGE: file, TIMES: String(times) },
		timeout: scaledTimeout(60_000),
	});
	return JSON.parse(stdout);
}
