import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, BenchOptions } from "./bench.ts";
import { openClient, page } from "./client.ts";
import { addressOf, temporaryFolder } from "./database.ts";
import { measureDelivery } from "./journey/delivery.ts";
import { measureJobStart } from "./journey/job-start.ts";
import { measureMemory } from "./journey/memory.ts";
import { measurePageCpu } from "./journey/page-cpu.ts";
import { measureSearchPage } from "./journey/search-page.ts";
import { searchPaths } from "./journey/searches.ts";
import { measureSecondStart } from "./journey/second-start.ts";
import { knownCompanies } from "./known-companies.ts";
import { programArguments, shopArguments, startMeasured } from "./measured-server.ts";
import { seededRandom } from "./random.ts";

const seed = 20261121;
const bareHttp = new URL("./bare-http.ts", import.meta.url);

export default {
	about: "A customer's way: start, search, order, delivery",
	async measure(options) {
		const { smoke, undo, progress } = options;
		progress("second start");
		const secondStart = await measureSecondStart(options);

		progress("a shop of its own, with the embedded companies");
		const server = await options.server();
		const connection = await server.createFilled("shop");
		const startShop = () =>
			startMeasured(undo, {
				args: shopArguments(),
				readyPath: "/readyz",
				environment: { DATABASE_URL: addressOf(connection), DATA_DIR: temporaryFolder(undo), LOG_LEVEL: "error" },
			});
		const first = await startShop();
		const shop = { server: first, client: openClient(undo, first.url) };
		const companies = await knownCompanies(connection);
		const searches = searchPaths(companies, smoke ? 15 : 210, seededRandom(seed));
		const fullPages = await withNineResults(options, first.url, searches);

		const pageFile = join(temporaryFolder(undo), "page.html");
		writeFileSync(pageFile, (await page(shop.client, fullPages[0] as string)).body);
		const startBare = () => startMeasured(undo, { args: programArguments(bareHttp), readyPath: "/", environment: { PAGE: pageFile } });
		const bareServer = await startBare();
		const bare = { server: bareServer, client: openClient(undo, bareServer.url) };

		progress("search page");
		const searchPage = await measureSearchPage(options, { shop: shop.client, bare: bare.client, connection, paths: searches });
		progress("CPU of a page");
		const pageCpu = await measurePageCpu(options, { shop, bare, connection, paths: fullPages, pageFile });
		progress("from paid to delivered");
		const delivery = await measureDelivery(options, { url: first.url, connection, companies });
		await first.stop();
		await bareServer.stop();

		progress("memory");
		const memory = await measureMemory(options, { shop: await startShop(), bare: await startBare(), companies, searches });
		progress("job start");
		const jobStart = await measureJobStart(options, await server.createFilled("queue"));
		return { setting: [server.setting], figures: [secondStart, searchPage, pageCpu, memory, jobStart, ...delivery] };
	},
} satisfies Bench;

/** The searches whose page is full, which is the page that costs most. */
async function withNineResults({ undo }: BenchOptions, url: string, searches: readonly string[]): Promise<string[]> {
	const client = openClient(undo, url);
	const full: string[] = [];
	for (const path of searches) {
		const { body } = await page(client, path.replace("/recherche", "/api/entreprises"));
		if ((JSON.parse(body.toString()) as { results: unknown[] }).results.length === 9) full.push(path);
	}
	if (full.length === 0) throw new Error("no search fills a page");
	return full;
}
