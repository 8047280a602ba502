import type { Table } from "../bench.ts";
import { formatFigure } from "../percentiles.ts";
import { categories } from "./lighthouse.ts";
import type { MeasuredPage } from "./measure-pages.ts";

const formatPoints = (score: number) => `${Math.round(10 * score) / 10}`;
/** A kB is 1000 bytes. */
const formatKilobytes = (bytes: number) => (bytes / 1000).toFixed(1).replace(/^0\.0$/, "0");

/** Weight and Lighthouse results of each page. */
export function pagesTable(pages: readonly MeasuredPage[]): Table {
	return {
		title:
			"Each public page: kB on the wire, response headers included; Lighthouse’s points for performance, accessibility, best practices and SEO",
		columns: [
			...["page", "requests", "HTML", "CSS", "fonts", "images", "JavaScript", "other", "all"],
			...["perf.", "acc.", "best", "SEO", "LCP", "CLS", "TBT", "CPU index", "loads"],
		],
		rows: pages.map((page) => {
			const { requests, html, styles, fonts, images, scripts, other } = page.weight;
			const bytes = [html, styles, fonts, images, scripts, other];
			const { performance, accessibility, "best-practices": best } = page.scores;
			return [
				...[page.path, `${requests}`],
				...[...bytes, bytes.reduce((sum, value) => sum + value, 0)].map(formatKilobytes),
				...[performance, accessibility, best].map(formatPoints),
				formatSeo(page),
				...[`${(page.lcp / 1000).toFixed(2)} s`, formatFigure(page.cls), `${Math.round(page.tbt)} ms`],
				...[page.processor.toFixed(0), `${page.lcps.length}`],
			];
		}),
	};
}

function formatSeo({ scores: { seo }, seoIgnoringNoindex, indexed }: MeasuredPage): string {
	return indexed || seo === seoIgnoringNoindex
		? formatPoints(seo)
		: `${formatPoints(seo)} (${formatPoints(seoIgnoringNoindex)} but for noindex)`;
}

/** Every audit that some page does not pass; those that take points come first. */
export function findingsTable(pages: readonly MeasuredPage[]): Table {
	const findings = pages.flatMap((page) => page.findings.map((finding) => ({ ...finding, path: page.path })));
	const order = ({ counts, category }: (typeof findings)[number]) => categories.indexOf(category) + (counts ? 0 : categories.length);
	const byAudit = Map.groupBy(
		findings.toSorted((a, b) => order(a) - order(b)),
		({ audit }) => audit,
	);
	return {
		title: "What Lighthouse criticises on some page; « counts: no » is advice that takes no points",
		columns: ["audit", "category", "counts", "pages", "on the first of these pages"],
		rows: [...byAudit].map(([audit, all]) => {
			const { title, category, counts, evidence } = all[0] as (typeof findings)[number];
			const paths = all.length === pages.length ? `all ${pages.length}` : all.map(({ path }) => path).join(", ");
			return [`${audit}: ${title}`, category, counts ? "yes" : "no", paths, evidence];
		}),
	};
}
