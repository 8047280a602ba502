import { setTimeout as wait } from "node:timers/promises";
import type { KnownCompany } from "../../../test/known-companies.ts";
import { type Random, seededRandom } from "../../../test/random.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { loadHttp } from "../load.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { formatFigure } from "../percentiles.ts";

const clients = 8;
const megabyte = 2 ** 20;

interface Subjects {
	shop: MeasuredServer;
	fixed: MeasuredServer;
	companies: readonly KnownCompany[];
	searches: readonly string[];
}

/** Resident memory of a freshly started shop after many visitors. */
export async function measureMemory({ smoke }: BenchOptions, { shop, fixed, companies, searches }: Subjects): Promise<Figure> {
	const amount = smoke ? 60 : 10_000;
	const random = seededRandom(4);
	const paths = Array.from({ length: amount }, (_, index) => drawPath(index, random, companies, searches));
	const load = (url: string) => loadHttp({ url, paths, headers: { "accept-encoding": "br" }, clients }, { amount });
	const before = await shop.usage();
	const { perSecond } = await load(shop.url);
	const after = await shop.usage();
	await wait(smoke ? 0 : 2000);
	const rested = await shop.usage();
	await load(fixed.url);
	const megabytes = (bytes: number) => `${formatFigure(bytes / megabyte)} MB`;
	return {
		label: `Resident memory after ${amount} requests`,
		unit: "MB",
		value: after.resident / megabyte,
		goal: 250,
		details: [
			`home, search, company, order form and API, ${clients} requests at once, ${formatFigure(perSecond)} per second`,
			`just started ${megabytes(before.resident)}, highest ${megabytes(after.peak)}, two seconds after the last request ${megabytes(rested.resident)}`,
		],
		baseline: {
			value: (await fixed.usage()).resident / megabyte,
			label: "a Node process with the same HTTP layer and one fixed page, after as many requests",
			maxRatio: 10,
		},
	};
}

function drawPath(index: number, random: Random, companies: readonly KnownCompany[], searches: readonly string[]): string {
	const { siren, name } = random.pick(companies);
	const search = random.pick(searches);
	const mix = [
		...["/", search, search, search, search.replace("/recherche", "/api/entreprises")],
		...[`/entreprise/${siren}`, `/entreprise/${siren}`, `/commande/${siren}?service=express`, `/api/entreprises/${siren}`],
		`/api/entreprises/suggestions?${new URLSearchParams({ q: name.slice(0, 5) })}`,
	];
	return mix[index % mix.length] as string;
}
