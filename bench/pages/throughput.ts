import { type Client, openClient } from "../client.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { together } from "../search/timing.ts";
import { startBarePage } from "./bare-page.ts";

const clients = 8;

/** What is asked again and again. */
interface Load {
	what: string;
	path: string;
	/** Asked as by a browser that kept the page. */
	known?: true;
}

const loads: readonly Load[] = [
	{ what: "Home page", path: "/" },
	{ what: "Home page, not modified", path: "/", known: true },
	{ what: "/cgv", path: "/cgv" },
];

export interface Rate {
	/** Answers to one second of the server's CPU, user and system: what one core could give if it did nothing else. */
	perCore: number;
	/** Answers a second by the clock, with the client on the same cores. */
	byClock: number;
}

export interface Throughput {
	what: string;
	status: number;
	/** Of one answer's body, compressed. */
	bytes: number;
	shop: Rate;
	bare: Rate;
}

/** How many answers of a page that is the same for everybody a core gives, beside fixed answers of the same size by the same HTTP layer. */
export async function measureThroughput(
	undo: AsyncDisposableStack,
	shop: MeasuredServer,
	{ ms, progress }: { ms: number; progress: (text: string) => void },
): Promise<Throughput[]> {
	const client = openClient(undo, shop.url, clients);
	const measured: Throughput[] = [];
	for (const { what, path, known } of loads) {
		progress(`${what}: requests per second and core`);
		const etag = (await fetch(new URL(path, shop.url), { headers: { "accept-encoding": "br" } })).headers.get("etag");
		if (etag === null) throw new Error(`${path} has no ETag`);
		const headers = { "accept-encoding": "br", ...(known && { "if-none-match": etag }) };
		const status = known ? 304 : 200;
		const { bytes, ...rate } = await rateOf({ server: shop, client }, { path, headers, status, ms });
		measured.push({ what, status, bytes, shop: rate, bare: await bareRate(undo, bytes, ms) });
	}
	return measured;
}

async function bareRate(undo: AsyncDisposableStack, bytes: number, ms: number): Promise<Rate> {
	const server = await startBarePage(undo, "x".repeat(bytes));
	const rate = await rateOf({ server, client: openClient(undo, server.url, clients) }, { path: "/", headers: {}, status: 200, ms });
	await server.stop();
	return rate;
}

async function rateOf(
	{ server, client }: { server: MeasuredServer; client: Client },
	{ path, headers, status, ms }: { path: string; headers: Record<string, string>; status: number; ms: number },
): Promise<Rate & { bytes: number }> {
	let bytes = 0;
	const load = (duration: number) =>
		together([path], { clients, ms: duration }, async () => {
			const answer = await client.ask(path, { headers });
			if (answer.status !== status) throw new Error(`${path} answered ${answer.status} in place of ${status}`);
			bytes = answer.body.length;
		});
	await load(ms / 2); // until all of it is compiled
	const before = await server.usage();
	const { latencies, perSecond } = await load(ms);
	const cpu = (await server.usage()).cpu - before.cpu;
	return { perCore: (1000 * latencies.length) / cpu, byClock: perSecond, bytes };
}
