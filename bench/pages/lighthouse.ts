import lighthouse, { type Result } from "lighthouse";
import { type ListedRequest, type Weight, weightOf } from "./weights.ts";

/** Lighthouse's four categories, in its own order; of 100 points each. */
export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Scores = Record<(typeof categories)[number], number>;

/** An audit that was not passed. */
export interface Finding {
	audit: string;
	category: (typeof categories)[number];
	title: string;
	/** It counts in its category's score; the others only advise. */
	counts: boolean;
	/** What Lighthouse saw, as far as it says it in words. */
	seen: string;
}

/** One load of a page by a phone that has never been there. */
export interface Run {
	scores: Scores;
	/** The score for search engines had `is-crawlable` not been asked: for pages that say noindex on purpose. */
	seoButForNoindex: number;
	/** Largest contentful paint, in milliseconds. */
	lcp: number;
	/** Cumulative layout shift. */
	cls: number;
	/** Total blocking time, in milliseconds. */
	tbt: number;
	weight: Weight;
	findings: Finding[];
	/** How fast the processor was just before, by Lighthouse's own index: the busier the machine, the lower. */
	processor: number;
	/** Versions and the simulated connection. */
	setting: string;
}

/**
 * Measures a page as Lighthouse does when it is asked nothing else: a phone, slow 4G and a slow processor, both simulated from
 * a load that nothing slows down. Throws where Lighthouse could not measure, or where the page is not answered as a page.
 * @param port where the browser's debugging protocol is spoken
 */
export async function measurePage(url: string, port: number): Promise<Run> {
	const result = await lighthouse(url, { port, logLevel: "silent", output: "json", onlyCategories: [...categories] });
	if (!result) throw new Error(`Lighthouse says nothing of ${url}`);
	const { lhr } = result;
	if (lhr.runtimeError) throw new Error(`Lighthouse cannot measure ${url}: ${lhr.runtimeError.message}`);
	const { throttling } = lhr.configSettings;
	const browser = /Chrome\/(\d+)/.exec(lhr.environment.hostUserAgent)?.[1];
	return {
		scores: Object.fromEntries(categories.map((category) => [category, scoreOf(lhr, category)])) as Scores,
		seoButForNoindex: scoreOf(lhr, "seo", "is-crawlable"),
		lcp: measureOf(lhr, "largest-contentful-paint"),
		cls: measureOf(lhr, "cumulative-layout-shift"),
		tbt: measureOf(lhr, "total-blocking-time"),
		weight: weightOf(detailsOf(lhr, "network-requests") as unknown as ListedRequest[]),
		findings: findingsOf(lhr),
		processor: lhr.environment.benchmarkIndex,
		setting: `Lighthouse ${lhr.lighthouseVersion}, headless Chromium ${browser}, Lighthouse’s default for a phone: throttling simulated (${throttling.rttMs} ms round trip, ${Math.round(throttling.throughputKbps)} kbit/s, processor ×${throttling.cpuSlowdownMultiplier} slower) from a load over the loopback, so that LCP and TBT are a model’s figures`,
	};
}

/** As Lighthouse reckons it (core/scoring.js): the mean of the audits by weight, where those that do not apply weigh nothing. */
function scoreOf(lhr: Result, category: string, without?: string): number {
	let points = 0;
	let weights = 0;
	for (const { id, weight } of lhr.categories[category]?.auditRefs ?? []) {
		if (weight === 0 || id === without) continue;
		const { score, errorMessage } = lhr.audits[id] ?? {};
		if (score === null || score === undefined) throw new Error(`Lighthouse could not judge ${id}: ${errorMessage}`);
		points += weight * score;
		weights += weight;
	}
	if (weights === 0) throw new Error(`Lighthouse judged nothing of ${category}`);
	return Math.round((100 * points) / weights);
}

function measureOf(lhr: Result, id: string): number {
	const value = lhr.audits[id]?.numericValue;
	if (value === undefined) throw new Error(`Lighthouse gives no ${id}: ${lhr.audits[id]?.errorMessage}`);
	return value;
}

function detailsOf(lhr: Result, id: string): Record<string, unknown>[] {
	const details = lhr.audits[id]?.details;
	return details?.type === "table" || details?.type === "opportunity" ? (details.items as Record<string, unknown>[]) : [];
}

function findingsOf(lhr: Result): Finding[] {
	return categories.flatMap((category) =>
		(lhr.categories[category]?.auditRefs ?? []).flatMap(({ id, weight, group }): Finding[] => {
			const audit = lhr.audits[id];
			const passed = audit === undefined || audit.score === null || audit.score >= (group === "metrics" ? 0.9 : 1);
			if (passed || group === "hidden") return [];
			const seen = [audit.displayValue, audit.explanation, ...detailsOf(lhr, id).slice(0, 3).map(inWords)].filter(Boolean).join("; ");
			const site = new URL(lhr.finalDisplayedUrl).origin;
			return [{ audit: id, category, title: audit.title, counts: weight > 0, seen: seen.replaceAll(site, "") }];
		}),
	);
}

/** The first words in an item of an audit's details: an element, an address, a reason. */
function inWords(item: Record<string, unknown>): string {
	const { node, url, reason, description, source } = item as Record<string, unknown> & { node?: { snippet?: string } };
	return [node?.snippet, url, reason, description, source]
		.filter((part) => typeof part === "string")
		.join(" ")
		.slice(0, 160);
}
