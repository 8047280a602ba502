import { openClient } from "../../../test/http-client.ts";
import { loadHttp } from "../load.ts";
import { type MeasuredServer, startFixedAnswer } from "../measured-server.ts";

const clients = 8;

/** `cached`: requested as by a browser that has the page in its cache. */
const loads = [
	{ page: "Home page", path: "/", cached: false },
	{ page: "Home page, not modified", path: "/", cached: true },
	{ page: "/cgv", path: "/cgv", cached: false },
];

export interface Rate {
	/** Answers per second of the server's CPU, user and system: the capacity of one core that does nothing else. */
	perCore: number;
	/** Answers per second by the clock, with the clients on the same cores. */
	perSecond: number;
}

export interface Throughput {
	page: string;
	status: number;
	/** Size of one compressed body. */
	bytes: number;
	shop: Rate;
	fixed: Rate;
}

/** Answers per core of pages that are the same for everybody, and of fixed answers of the same size by the same HTTP layer. */
export async function measureThroughput(
	undo: AsyncDisposableStack,
	shop: MeasuredServer,
	{ ms, progress }: { ms: number; progress: (text: string) => void },
): Promise<Throughput[]> {
	const client = openClient(undo, shop.url);
	const measured: Throughput[] = [];
	for (const { page, path, cached } of loads) {
		progress(`${page}: requests per second and core`);
		const etag = (await fetch(new URL(path, shop.url), { headers: { "accept-encoding": "br" } })).headers.get("etag");
		if (etag === null) throw new Error(`${path} has no ETag`);
		const headers = { "accept-encoding": "br", ...(cached && { "if-none-match": etag }) };
		const bytes = (await client.ask(path, { headers })).body.length;
		const status = cached ? 304 : 200;
		const fixed = await startFixedAnswer(undo, "x".repeat(bytes));
		measured.push({
			...{ page, status, bytes },
			shop: await measureRate(shop, { path, headers, status, ms }),
			fixed: await measureRate(fixed, { path: "/", headers: {}, status: 200, ms }),
		});
		await fixed.stop();
	}
	return measured;
}

async function measureRate(
	server: MeasuredServer,
	{ path, headers, status, ms }: { path: string; headers: Record<string, string>; status: number; ms: number },
): Promise<Rate> {
	const load = (duration: number) => loadHttp({ url: server.url, paths: [path], headers, clients, status }, { ms: duration });
	await load(ms / 2); // until all of it is compiled
	const before = await server.usage();
	const { latencies, perSecond } = await load(ms);
	const cpu = (await server.usage()).cpu - before.cpu;
	return { perCore: (1000 * latencies.length) / cpu, perSecond };
}
