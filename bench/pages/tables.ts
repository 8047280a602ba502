import type { Table } from "../bench.ts";
import { figure } from "../percentiles.ts";
import { categories, type Run } from "./lighthouse.ts";
import type { MeasuredPage } from "./measure-pages.ts";
import { bytesOf, kilobytes } from "./weights.ts";

const points = (score: number) => `${Math.round(10 * score) / 10}`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** What each page brings, and what Lighthouse says of it. */
export function tableOfPages(pages: readonly MeasuredPage[]): Table {
	return {
		title:
			"Each public page: kB as they travel, with the headers of the answers; Lighthouse’s points for performance, accessibility, best practices and search engines",
		columns: [
			"page",
			"requests",
			"HTML",
			"CSS",
			"fonts",
			"images",
			"JavaScript",
			"other",
			"all",
			"perf.",
			"acc.",
			"best",
			"SEO",
			"LCP",
			"CLS",
			"TBT",
			"CPU index",
			"loads",
		],
		rows: pages.map((page) => {
			const { html, styles, fonts, images, scripts, other, requests } = page.weight;
			const { performance, accessibility, "best-practices": best } = page.scores;
			return [
				page.path,
				`${requests}`,
				...[html, styles, fonts, images, scripts, other, bytesOf(page.weight)].map(kilobytes),
				...[performance, accessibility, best].map(points),
				seoOf(page),
				seconds(page.lcp),
				figure(page.cls),
				`${Math.round(page.tbt)} ms`,
				page.processor.toFixed(0),
				`${page.lcps.length}`,
			];
		}),
	};
}

function seoOf({ scores: { seo }, seoButForNoindex, indexed }: MeasuredPage): string {
	return indexed || seo === seoButForNoindex ? points(seo) : `${points(seo)} (${points(seoButForNoindex)} but for noindex)`;
}

/** Every audit that some page does not pass, with the pages: those that count first. */
export function tableOfFindings(pages: readonly MeasuredPage[]): Table {
	const found = pages.flatMap(({ path, findings }) => findings.map((finding) => ({ ...finding, path })));
	const byAudit = [...Map.groupBy(found, ({ audit }) => audit).values()];
	const order = ({ counts, category }: (typeof found)[number]) => categories.indexOf(category) + (counts ? 0 : categories.length);
	return {
		title: "What Lighthouse finds wanting on some page; what does not count is advice, without points",
		columns: ["audit", "category", "counts", "pages", "seen on the first of them"],
		rows: byAudit
			.map((all) => ({ all, first: all[0] as (typeof found)[number] }))
			.toSorted((a, b) => order(a.first) - order(b.first))
			.map(({ all, first }) => [
				`${first.audit}: ${first.title}`,
				first.category,
				first.counts ? "yes" : "no",
				all.length === pages.length ? `all ${pages.length}` : all.map(({ path }) => path).join(", "),
				first.seen,
			]),
	};
}

/** The same home page, drawn by the server and drawn in the browser. */
export function tableOfRendering(shop: Run, client: Run): Table {
	const row = (what: string, measure: (run: Run) => number, say: (value: number) => string) => {
		const [ours, theirs] = [measure(shop), measure(client)];
		return [what, say(ours), say(theirs), ours === theirs ? "×1" : `×${figure(ours / theirs)}`];
	};
	const kB = (bytes: number) => `${kilobytes(bytes)} kB`;
	return {
		title:
			"The home page beside the same page drawn in the browser (Vite and React, `createRoot` into an empty element, the same elements, style sheet and fonts; one component, no router, no data to fetch; files compressed with brotli at its best)",
		columns: ["what", "the shop", "drawn in the browser", "ratio"],
		rows: [
			row("LCP", ({ lcp }) => lcp, seconds),
			row("all that is loaded", ({ weight }) => bytesOf(weight), kB),
			row("HTML", ({ weight }) => weight.html, kB),
			row("JavaScript", ({ weight }) => weight.scripts, kB),
			row(
				"TBT",
				({ tbt }) => tbt,
				(ms) => `${Math.round(ms)} ms`,
			),
			row(
				"CPU index as it was loaded",
				({ processor }) => processor,
				(index) => index.toFixed(0),
			),
			row("performance, points", ({ scores }) => scores.performance, points),
		],
	};
}
