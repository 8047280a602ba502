import { setTimeout as wait } from "node:timers/promises";
import type { BenchOptions, Figure } from "../bench.ts";
import { type Client, openClient, page } from "../client.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { figure } from "../percentiles.ts";
import { type Random, seededRandom } from "../random.ts";
import type { KnownCompany } from "./searches.ts";

const atOnce = 8;
const megabyte = 2 ** 20;

/** Memory of the shop's process after many visitors, on a process that has done nothing else. */
export async function measureMemory(
	{ smoke, undo }: BenchOptions,
	{
		shop,
		bare,
		companies,
		searches,
	}: { shop: MeasuredServer; bare: MeasuredServer; companies: readonly KnownCompany[]; searches: readonly string[] },
): Promise<Figure> {
	const requests = smoke ? 60 : 10_000;
	const random = seededRandom(4);
	const paths = Array.from({ length: requests }, (_, index) => visit(index, random, companies, searches));
	const fresh = await shop.usage();
	const started = performance.now();
	await visitAll(openClient(undo, shop.url, atOnce), paths);
	const seconds = (performance.now() - started) / 1000;
	const after = await shop.usage();
	await wait(smoke ? 0 : 2000);
	const rested = await shop.usage();
	await visitAll(openClient(undo, bare.url, atOnce), paths);
	const least = await bare.usage();
	return {
		what: `Resident memory after ${requests} requests`,
		unit: "MB",
		value: after.resident / megabyte,
		goal: 250,
		bare: least.resident / megabyte,
		bareWhat: "a Node process with the same HTTP layer and one fixed page, after as many requests",
		details: [
			`home, search, company, order form and API, ${atOnce} at once, in ${figure(seconds)} s (${figure(requests / seconds)} per second)`,
			`just started ${figure(fresh.resident / megabyte)} MB, at most ${figure(after.peak / megabyte)} MB, two seconds after the last request ${figure(rested.resident / megabyte)} MB`,
		],
		largestRatio: 10,
	};
}

function visit(index: number, random: Random, companies: readonly KnownCompany[], searches: readonly string[]): string {
	const { siren, name } = random.pick(companies);
	const search = random.pick(searches);
	const mix = [
		"/",
		search,
		search,
		search,
		`/entreprise/${siren}`,
		`/entreprise/${siren}`,
		`/commande/${siren}?service=express`,
		search.replace("/recherche", "/api/entreprises"),
		`/api/entreprises/${siren}`,
		`/api/entreprises/suggestions?${new URLSearchParams({ q: name.slice(0, 5) })}`,
	];
	return mix[index % mix.length] as string;
}

async function visitAll(client: Client, paths: readonly string[]): Promise<void> {
	let next = 0;
	const visitor = async () => {
		for (let path = paths[next++]; path !== undefined; path = paths[next++]) await page(client, path, { "accept-encoding": "br" });
	};
	await Promise.all(Array.from({ length: atOnce }, visitor));
}
