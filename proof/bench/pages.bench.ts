import type { Bench, Measured } from "./bench.ts";
import { startFixedAnswer, startMeasuredShop } from "./measured-server.ts";
import { startBrowser } from "./pages/browser.ts";
import { homeFigures, pageFigures, searchFigures, throughputFigures } from "./pages/figures.ts";
import { goals, type MeasuredPage, measurePage } from "./pages/measure-pages.ts";
import { listPublicPages, type PublicPage } from "./pages/routes.ts";
import { findingsTable, pagesTable } from "./pages/tables.ts";
import { measureThroughput } from "./pages/throughput.ts";

const home: PublicPage = { path: "/", indexed: true };

const sentence = `<!doctype html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Une phrase</title></head><body><h1>Une phrase et rien d’autre.</h1></body></html>`;

/** Loads of the home page, of another page, of one below its goal; and the duration of each throughput measurement. */
const repetitions = {
	smoke: { home: 1, other: 1, again: 0, loadMs: 200 },
	full: { home: 5, other: 1, again: 3, loadMs: 5000 },
};

export default {
	about: "Public pages: Lighthouse, weight, requests per second and core",
	options: { only: { type: "string" } },
	maxMs: ({ smoke }) => (smoke ? 175_000 : 2_700_000),
	async measure({ smoke, given, undo, progress, server }) {
		const times = smoke ? repetitions.smoke : repetitions.full;
		const only = typeof given.only === "string" ? given.only : undefined;

		progress("a shop with the embedded companies");
		const shop = await startMeasuredShop(undo, await (await server()).createFilled("shop"));
		const all = await listPublicPages(shop.url);
		const pages = only ? [all.find(({ path }) => path === only) ?? { path: only, indexed: false }] : all.slice(0, smoke ? 1 : undefined);
		const throughput = only ? [] : await measureThroughput(undo, shop, { ms: times.loadMs, progress });

		const port = await startBrowser(undo);
		const measure = (page: PublicPage, url = shop.url) => {
			progress(url === shop.url ? page.path : "a page of one sentence");
			return measurePage(page, { url, port, times: page.path === home.path ? times.home : times.other, again: times.again });
		};
		const measured: MeasuredPage[] = [];
		for (const page of pages) measured.push(await measure(page));

		const [first] = measured as [MeasuredPage];
		const result: Measured = {
			setting: [
				"the shop runs as `npm start` starts it, web and jobs in one process, and logs errors only; client and browser run on the same machine",
				first.setting,
				"CPU index: how fast Lighthouse found the processor just before a load; a lower index means that the machine was busier, and TBT longer",
				`home page: median of ${times.home} loads; any other page: ${times.other} load, or the median of ${times.other + times.again} if the first had less than ${goals.performance} points for performance or a layout shift`,
				"a page that is meant to be noindex cannot pass Lighthouse’s `is-crawlable` audit: its SEO points are shown with and without that audit, and the goal counts the points without it",
			],
			options: only ? `--only ${only}` : undefined,
			figures: [...pageFigures(measured), ...searchFigures(measured)],
			tables: [pagesTable(measured), findingsTable(measured)],
		};
		if (first.path !== home.path) return result;

		const oneSentence = await startFixedAnswer(undo, sentence);
		// a smoke run does not load it: the home page has shown that Lighthouse works
		const baseline = smoke ? first : await measure(home, oneSentence.url);
		result.figures.push(...homeFigures(first, baseline), ...throughputFigures(throughput));
		return result;
	},
} satisfies Bench;
