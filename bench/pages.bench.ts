import type { Bench, BenchOptions, Measured } from "./bench.ts";
import { addressOf, temporaryFolder } from "./database.ts";
import { type MeasuredServer, shopArguments, startMeasured } from "./measured-server.ts";
import { startBarePage } from "./pages/bare-page.ts";
import { startBrowser } from "./pages/browser.ts";
import { startClientRendered } from "./pages/client-rendered.ts";
import { figuresOfHome, figuresOfPages, figuresOfThroughput } from "./pages/figures.ts";
import { goals, type MeasuredPage, measurePublicPage } from "./pages/measure-pages.ts";
import { type PublicPage, publicPages } from "./pages/routes.ts";
import { tableOfFindings, tableOfPages, tableOfRendering } from "./pages/tables.ts";
import { measureThroughput } from "./pages/throughput.ts";

const home: PublicPage = { path: "/", indexed: true };

const sentence = `<!doctype html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Une phrase</title></head><body><h1>Une phrase et rien d’autre.</h1></body></html>`;

/** Loads of the home page, of another page, of one that was below its goal; and how long the server is asked for each rate. */
const repetitions = {
	smoke: { home: 1, other: 1, again: 0, loadMs: 200 },
	whole: { home: 5, other: 1, again: 3, loadMs: 5000 },
};

export default {
	about: "Public pages: Lighthouse, weight, requests per second and core",
	options: { only: { type: "string" } },
	longest: ({ smoke }) => (smoke ? 175_000 : 2_700_000),
	async measure(options) {
		const { smoke, asked, undo, progress } = options;
		const times = smoke ? repetitions.smoke : repetitions.whole;
		const only = typeof asked.only === "string" ? asked.only : undefined;

		progress("a shop of its own, with the embedded companies");
		const shop = await startShop(options);
		const all = await publicPages(shop.url);
		const pages = only ? [all.find(({ path }) => path === only) ?? { path: only, indexed: false }] : all.slice(0, smoke ? 1 : undefined);
		const throughput = only ? [] : await measureThroughput(undo, shop, { ms: times.loadMs, progress });

		const { browser, port } = await startBrowser(undo);
		const measure = (page: PublicPage, url = shop.url) => {
			progress(url === shop.url ? page.path : "another home page, to compare");
			return measurePublicPage(page, { url, port, times: page.path === home.path ? times.home : times.other, again: times.again });
		};
		const measured: MeasuredPage[] = [];
		for (const page of pages) measured.push(await measure(page));

		const [first] = measured as [MeasuredPage];
		const result: Measured = {
			setting: [
				"the shop as `npm start` starts it, web and jobs in one process, but for its log (errors only); client and browser on the same machine",
				first.setting,
				"CPU index: how fast Lighthouse found the processor just before a load; the lower, the busier the machine was, and the longer TBT",
				saysLoads(times),
				"a page that says noindex on purpose cannot have Lighthouse’s `is-crawlable`: its points for search engines are told with and without that audit, and the goal counts those without",
			],
			options: only ? `--only ${only}` : undefined,
			figures: figuresOfPages(measured),
			tables: [tableOfPages(measured), tableOfFindings(measured)],
		};
		if (first.path !== home.path) return result;

		// a smoke run has seen Lighthouse work: these two only have to be there
		const measureOther = (url: string) => (smoke ? Promise.resolve(first) : measure(home, url));
		const bare = await measureOther((await startBarePage(undo, sentence)).url);
		result.figures.push(...figuresOfHome(first, bare), ...figuresOfThroughput(throughput));
		if (only) return result;
		progress("the home page drawn in the browser");
		const rival = await startClientRendered(undo, { browser, address: shop.url });
		result.tables?.splice(1, 0, tableOfRendering(first, await measureOther(rival.url)));
		return result;
	},
} satisfies Bench;

const saysLoads = ({ home, other, again }: typeof repetitions.whole) =>
	`home page: median of ${home} loads; any other: ${other}, or the median of ${other + again} where it then had less than ${goals.performance} points for performance or moved`;

async function startShop({ server, undo }: BenchOptions): Promise<MeasuredServer> {
	const connection = await (await server()).createFilled("shop");
	const environment = { DATABASE_URL: addressOf(connection), DATA_DIR: temporaryFolder(undo), LOG_LEVEL: "error" };
	return startMeasured(undo, { args: shopArguments(), readyPath: "/readyz", environment });
}
