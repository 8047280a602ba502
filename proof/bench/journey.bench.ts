import { openClient, page } from "../../test/http-client.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { seededRandom } from "../../test/random.ts";
import type { Bench } from "./bench.ts";
import { measureDelivery } from "./journey/delivery.ts";
import { measureJobStart } from "./journey/job-start.ts";
import { measureMemory } from "./journey/memory.ts";
import { measurePageCpu } from "./journey/page-cpu.ts";
import { measureSearchPage } from "./journey/search-page.ts";
import { drawSearchPaths } from "./journey/searches.ts";
import { measureSecondStart } from "./journey/second-start.ts";
import { startFixedAnswer, startMeasuredShop } from "./measured-server.ts";

const seed = 20261121;

export default {
	about: "The customer's journey: start, search, order, delivery",
	async measure(options) {
		const { smoke, undo, progress } = options;
		progress("second start");
		const secondStart = await measureSecondStart(options);

		progress("a shop with the embedded companies");
		const server = await options.server();
		const connection = await server.createFilled("shop");
		const shop = await startMeasuredShop(undo, connection);
		const companies = await knownCompanies(connection);
		const searches = drawSearchPaths(companies, smoke ? 15 : 210, seededRandom(seed));
		const fullPages = await findFullPages(undo, shop.url, searches);
		const html = (await page(openClient(undo, shop.url), fullPages[0] as string)).body;
		const fixed = await startFixedAnswer(undo, html);

		progress("search page");
		const searchPage = await measureSearchPage(options, { shop, fixed, connection, paths: searches });
		progress("CPU of a page");
		const pageCpu = await measurePageCpu(options, { shop, fixed, connection, paths: fullPages, html });
		progress("from paid to delivered");
		const delivery = await measureDelivery(options, { url: shop.url, connection, companies });
		await shop.stop();
		await fixed.stop();

		progress("memory");
		const fresh = { shop: await startMeasuredShop(undo, connection), fixed: await startFixedAnswer(undo, html) };
		const memory = await measureMemory(options, { ...fresh, companies, searches });
		progress("job start");
		const jobStart = await measureJobStart(options, await server.createFilled("queue"));
		return { setting: [server.setting], figures: [secondStart, searchPage, pageCpu, memory, jobStart, ...delivery] };
	},
} satisfies Bench;

/** The searches with a full page of nine results: the most expensive pages. */
async function findFullPages(undo: AsyncDisposableStack, url: string, searches: readonly string[]): Promise<string[]> {
	const client = openClient(undo, url);
	const full: string[] = [];
	for (const path of searches) {
		const { body } = await page(client, path.replace("/recherche", "/api/entreprises"));
		if ((JSON.parse(body.toString()) as { results: unknown[] }).results.length === 9) full.push(path);
	}
	if (full.length === 0) throw new Error("no search fills a page");
	return full;
}
