import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type pg from "pg";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { type Client, page } from "../client.ts";
import { type MeasuredServer, programArguments } from "../measured-server.ts";
import { figure } from "../percentiles.ts";
import { searchAlone } from "./search-page.ts";

const bareRender = new URL("../bare-render.ts", import.meta.url);

/** A program that answers, and a client of it. */
export interface Asked {
	server: MeasuredServer;
	client: Client;
}

/** CPU of the shop's process for one page of results, whatever waits for PostgreSQL. */
export async function measurePageCpu(
	{ smoke }: BenchOptions,
	{
		shop,
		bare,
		connection,
		paths,
		pageFile,
	}: { shop: Asked; bare: Asked; connection: pg.ClientConfig; paths: readonly string[]; pageFile: string },
): Promise<Figure> {
	const times = smoke ? 15 : 1500;
	const perPage = await cpuPerPage(shop, paths, times);
	const perFixedPage = await cpuPerPage(bare, paths, times);
	const drawn = await drawAlone(pageFile, times);
	const alone = await searchAlone(connection, paths, Math.ceil(times / paths.length));
	const idle = await cpuWhileIdle(shop.server, smoke ? 50 : 1000);
	return {
		what: "CPU of a page of nine results",
		unit: "ms",
		value: perPage,
		goal: 1,
		bare: drawn.ms + perFixedPage,
		bareWhat: `renderToString of the same ${drawn.elements} elements (${figure(drawn.ms)}) and a fixed answer by Hono (${figure(perFixedPage)})`,
		details: [
			`user and system time of the whole Node process over ${times} pages, none compressed, PostgreSQL not counted`,
			`of it the search and its SQL driver, measured alone: ${figure(alone.cpu)} ms (${Math.round((100 * alone.cpu) / perPage)} %)`,
			`an idle second, jobs waiting: ${figure(idle)} ms`,
		],
		largestRatio: 60,
	};
}

async function cpuPerPage({ server, client }: Asked, paths: readonly string[], times: number): Promise<number> {
	const go = async () => {
		for (let time = 0; time < times; time++) await page(client, paths[time % paths.length] as string);
	};
	await go(); // until all of it is compiled
	const before = await server.usage();
	await go();
	return ((await server.usage()).cpu - before.cpu) / times;
}

async function cpuWhileIdle(server: MeasuredServer, ms: number): Promise<number> {
	const before = await server.usage();
	await new Promise((done) => setTimeout(done, ms));
	return (((await server.usage()).cpu - before.cpu) * 1000) / ms;
}

async function drawAlone(pageFile: string, times: number): Promise<{ ms: number; elements: number }> {
	const environment = { ...process.env, NODE_ENV: "production", PAGE: pageFile, TIMES: String(times) };
	const { stdout } = await promisify(execFile)(process.execPath, programArguments(bareRender), {
		env: environment,
		timeout: scaledTimeout(60_000),
	});
	return JSON.parse(stdout);
}
