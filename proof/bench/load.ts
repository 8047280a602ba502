import autocannon from "autocannon";
import { scaledTimeout } from "../../test/time-limits.ts";

export interface Load {
	latencies: number[];
	perSecond: number;
}

interface HttpLoadOptions {
	url: string;
	/** Sent in turn and again from the beginning; each client begins at another place. */
	paths: readonly string[];
	headers?: Record<string, string>;
	clients?: number;
	/** Expected status of every answer. */
	status?: number;
}

/**
 * Sends requests over kept-alive connections, as fast as they are answered.
 * @param until how many requests, or for how many milliseconds.
 * @throws when a request fails or has another status.
 */
export async function loadHttp(
	{ url, paths, headers = {}, clients = 1, status = 200 }: HttpLoadOptions,
	until: { amount: number } | { ms: number },
): Promise<Load> {
	const requests = paths.map((path) => ({ path, headers }));
	const latencies: number[] = [];
	const failures: string[] = [];
	let client = 0;
	const started = performance.now();
	let ended = started;
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const options: autocannon.Options = {
		url,
		connections: "amount" in until ? Math.min(clients, until.amount) : clients,
		...("amount" in until ? { amount: until.amount } : { duration: 3600 }),
		sampleInt: 20, // milliseconds after which it notices that it was stopped
		timeout: scaledTimeout(20_000) / 1000,
		setupClient(one) {
			const first = Math.floor((client++ * requests.length) / clients);
			one.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
		},
	};
	const running = autocannon(options, (error) => (error ? reject(error) : resolve()));
	running.on("response", (_, answered, __, ms) => {
		if (answered !== status) failures.push(`${url} answered ${answered} in place of ${status}`);
		latencies.push(ms);
		ended = performance.now();
		// on a busy machine the first answers may take longer than the whole load
		if ("ms" in until && ended - started >= until.ms && latencies.length >= clients) running.stop();
	});
	running.on("reqError", (error) => {
		failures.push(`${url}: ${error}`);
		running.stop();
	});
	await promise;
	if (failures.length > 0) throw new Error(failures[0]);
	return { latencies, perSecond: (1000 * latencies.length) / (ended - started) };
}

/** Calls `work` for the items from several clients at once, each client from another place and round again, for `ms` milliseconds. */
export async function loadConcurrently<Item>(
	items: readonly Item[],
	{ clients, ms }: { clients: number; ms: number },
	work: (item: Item) => Promise<unknown>,
): Promise<Load> {
	const latencies: number[] = [];
	const started = performance.now();
	const client = async (number: number) => {
		for (let at = Math.floor((number * items.length) / clients); performance.now() - started < ms; at = (at + 1) % items.length) {
			const sent = performance.now();
			await work(items[at] as Item);
			latencies.push(performance.now() - sent);
		}
	};
	await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
	return { latencies, perSecond: (1000 * latencies.length) / (performance.now() - started) };
}
