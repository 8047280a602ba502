import type { Figure } from "../bench.ts";
import { formatFigure } from "../percentiles.ts";
import { goals, type MeasuredPage } from "./measure-pages.ts";
import type { Throughput } from "./throughput.ts";

/** Goals of every page: the worst page counts. */
export function pageFigures(pages: readonly MeasuredPage[]): Figure[] {
	const worst = pages.length === 1 ? "" : `, worst of ${pages.length} pages`;
	const lowest = (label: string, goal: number, getScore: (page: MeasuredPage) => number): Figure => {
		const below = pages.filter((page) => getScore(page) < goal);
		return {
			label: label + worst,
			unit: "points",
			value: Math.min(...pages.map(getScore)),
			goal,
			atLeast: true,
			details: below.length > 0 ? [`below: ${below.map((page) => `${page.path} ${getScore(page)}`).join(", ")}`] : [],
		};
	};
	const shifting = pages.filter(({ cls }) => cls > goals.cls);
	return [
		lowest("Performance", goals.performance, ({ scores }) => scores.performance),
		lowest("Accessibility", goals.others, ({ scores }) => scores.accessibility),
		lowest("Best practices", goals.others, ({ scores }) => scores["best-practices"]),
		lowest("SEO", goals.others, ({ scores, seoIgnoringNoindex, indexed }) => (indexed ? scores.seo : seoIgnoringNoindex)),
		{
			label: `CLS${worst}`,
			unit: "",
			value: Math.max(...pages.map(({ cls }) => cls)),
			goal: goals.cls,
			details: shifting.map(({ path, cls }) => `${path}: ${formatFigure(cls)}`),
		},
	];
}

/** Goals of the home page alone. */
export function homeFigures(home: MeasuredPage, sentence: MeasuredPage): Figure[] {
	return [
		{
			label: "LCP of the home page",
			unit: "s",
			value: home.lcp / 1000,
			goal: 1.2,
			details: [
				`${home.lcps.length} loads: ${formatFigure(Math.min(...home.lcps) / 1000)} to ${formatFigure(Math.max(...home.lcps) / 1000)} s`,
			],
			baseline: { value: sentence.lcp / 1000, label: "a page of one sentence, without style sheet and fonts", maxRatio: 20 },
		},
		{ label: "JavaScript of the home page", unit: "kB", value: home.weight.scripts / 1000, goal: 0 },
		{ label: "The home page in all", unit: "kB", value: sumBytes(home) / 1000, goal: 45 },
	];
}

const sumBytes = ({ weight: { requests: _, ...kinds } }: MeasuredPage) => Object.values(kinds).reduce((sum, bytes) => sum + bytes, 0);

/** Goals of the pages that search engines lead to: the search and a company. */
export function searchFigures(pages: readonly MeasuredPage[]): Figure[] {
	const measured = pages.filter(({ path }) => /^\/(recherche|entreprise)\b/.test(path));
	if (measured.length === 0) return [];
	const worst = (label: string, unit: Figure["unit"], goal: number, getValue: (page: MeasuredPage) => number): Figure => ({
		label: `${label} of search and company pages, worst of ${measured.length}`,
		unit,
		value: Math.max(...measured.map(getValue)),
		goal,
		details: measured.map((page) => `${page.path}: ${formatFigure(getValue(page))}`),
	});
	return [
		worst("LCP", "s", 1.15, ({ lcp }) => lcp / 1000),
		worst("JavaScript before a field is used", "kB", 6, ({ weight }) => weight.scripts / 1000),
	];
}

export function throughputFigures(measured: readonly Throughput[]): Figure[] {
	return measured.map(({ page, status, bytes, shop, fixed }) => ({
		label: `${page} (${status}), requests per second and core`,
		unit: "/s",
		value: shop.perCore,
		goal: 5000,
		atLeast: true,
		details: [
			`user and system time of the whole process: ${formatFigure(1000 / shop.perCore)} ms an answer, baseline ${formatFigure(1000 / fixed.perCore)} ms`,
			`by the clock, with eight clients on the same cores: ${formatFigure(shop.perSecond)}/s, baseline ${formatFigure(fixed.perSecond)}/s`,
		],
		baseline: { value: fixed.perCore, label: `Hono answering a fixed text of the same ${bytes} bytes`, maxRatio: 400 },
	}));
}
