import type { Figure } from "../bench.ts";
import { figure } from "../percentiles.ts";
import type { Run } from "./lighthouse.ts";
import { goals, type MeasuredPage } from "./measure-pages.ts";
import type { Throughput } from "./throughput.ts";

const worstOf = (pages: readonly unknown[]) => (pages.length === 1 ? "" : `, worst of ${pages.length} pages`);

/** Goals that every page must reach: the lowest page stands for all. */
export function figuresOfPages(pages: readonly MeasuredPage[]): Figure[] {
	const lowest = (what: string, goal: number, scoreOf: (page: MeasuredPage) => number): Figure => {
		const below = pages.filter((page) => scoreOf(page) < goal);
		return {
			what: what + worstOf(pages),
			unit: "points",
			value: Math.min(...pages.map(scoreOf)),
			goal,
			atLeast: true,
			details: below.length > 0 ? [`below: ${below.map((page) => `${page.path} ${scoreOf(page)}`).join(", ")}`] : [],
		};
	};
	const moving = pages.filter(({ cls }) => cls > goals.cls);
	return [
		lowest("Performance", goals.performance, ({ scores }) => scores.performance),
		lowest("Accessibility", goals.others, ({ scores }) => scores.accessibility),
		lowest("Best practices", goals.others, ({ scores }) => scores["best-practices"]),
		lowest("SEO", goals.others, ({ scores, seoButForNoindex, indexed }) => (indexed ? scores.seo : seoButForNoindex)),
		{
			what: `CLS${worstOf(pages)}`,
			unit: "",
			value: Math.max(...pages.map(({ cls }) => cls)),
			goal: goals.cls,
			details: moving.map(({ path, cls }) => `${path}: ${figure(cls)}`),
		},
	];
}

/** What is asked of the home page alone. @param bare the same measure of a page of one sentence, without style sheet and fonts */
export function figuresOfHome(home: MeasuredPage, bare: Run): Figure[] {
	return [
		{
			what: "LCP of the home page",
			unit: "s",
			value: home.lcp / 1000,
			goal: 1.2,
			bare: bare.lcp / 1000,
			bareWhat: "a page of one sentence, without style sheet and fonts",
			details: [`${home.lcps.length} loads: ${figure(Math.min(...home.lcps) / 1000)} to ${figure(Math.max(...home.lcps) / 1000)} s`],
			largestRatio: 20,
		},
		{ what: "JavaScript of the home page", unit: "kB", value: home.weight.scripts / 1000, goal: 0, details: [] },
	];
}

/** What one core gives: answers to a second of the server's CPU. */
export function figuresOfThroughput(measured: readonly Throughput[]): Figure[] {
	return measured.map(({ what, status, bytes, shop, bare }) => ({
		what: `${what} (${status}), requests per second and core`,
		unit: "/s",
		value: shop.perCore,
		goal: 5000,
		atLeast: true,
		bare: bare.perCore,
		bareWhat: `Hono answering a fixed text of the same ${bytes} bytes`,
		details: [
			`user and system time of the whole process: ${figure(1000 / shop.perCore)} ms an answer, bare ${figure(1000 / bare.perCore)} ms`,
			`by the clock, eight clients on the same cores: ${figure(shop.byClock)}/s, bare ${figure(bare.byClock)}/s`,
		],
		largestRatio: 400,
	}));
}
