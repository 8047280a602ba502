import lighthouse, { type Result } from "lighthouse";

/** Lighthouse's four categories in its own order, of 100 points each. */
export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof categories)[number];
export type Scores = Record<Category, number>;

/** Bytes on the wire, compressed, with response headers. */
export type Weight = Record<"html" | "scripts" | "styles" | "fonts" | "images" | "other" | "requests", number>;

/** An audit that the page does not pass. */
export interface Finding {
	audit: string;
	category: Category;
	title: string;
	/** False for advice that takes no points. */
	counts: boolean;
	/** What Lighthouse reports, in words. */
	evidence: string;
}

/** One load of a page by a phone with an empty cache. */
export interface Run {
	scores: Scores;
	/** The SEO score without the audit `is-crawlable`, which pages that are meant to be noindex cannot pass. */
	seoIgnoringNoindex: number;
	/** Largest contentful paint, in milliseconds. */
	lcp: number;
	/** Cumulative layout shift. */
	cls: number;
	/** Total blocking time, in milliseconds. */
	tbt: number;
	weight: Weight;
	findings: Finding[];
	/** Lighthouse's index of the processor's speed just before the load: lower when the machine is busier. */
	processor: number;
	/** Versions and the simulated connection. */
	setting: string;
}

/**
 * Measures a page with Lighthouse's defaults: a phone, with slow 4G and a slow processor simulated from an unthrottled load.
 * @param port of the browser's debugging protocol.
 * @throws when Lighthouse cannot measure the page.
 */
export async function loadPage(url: string, port: number): Promise<Run> {
	const result = await lighthouse(url, { port, logLevel: "silent", output: "json", onlyCategories: [...categories] });
	if (!result) throw new Error(`Lighthouse returns nothing for ${url}`);
	const { lhr } = result;
	if (lhr.runtimeError) throw new Error(`Lighthouse cannot measure ${url}: ${lhr.runtimeError.message}`);
	const { throttling } = lhr.configSettings;
	const browser = /Chrome\/(\d+)/.exec(lhr.environment.hostUserAgent)?.[1];
	return {
		scores: Object.fromEntries(categories.map((category) => [category, computeScore(lhr, category)])) as Scores,
		seoIgnoringNoindex: computeScore(lhr, "seo", "is-crawlable"),
		lcp: getMeasure(lhr, "largest-contentful-paint"),
		cls: getMeasure(lhr, "cumulative-layout-shift"),
		tbt: getMeasure(lhr, "total-blocking-time"),
		weight: weighRequests(listDetails(lhr, "network-requests")),
		findings: listFindings(lhr),
		processor: lhr.environment.benchmarkIndex,
		setting: `Lighthouse ${lhr.lighthouseVersion}, headless Chromium ${browser}, Lighthouse’s default for a phone; throttling is simulated (${throttling.rttMs} ms round trip, ${Math.round(throttling.throughputKbps)} kbit/s, processor ×${throttling.cpuSlowdownMultiplier} slower) from a load over loopback, so LCP and TBT are the figures of a model`,
	};
}

/** Lighthouse's own formula (core/scoring.js): the weighted mean of the audits that apply. */
function computeScore(lhr: Result, category: Category, without?: string): number {
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

function getMeasure(lhr: Result, id: string): number {
	const value = lhr.audits[id]?.numericValue;
	if (value === undefined) throw new Error(`Lighthouse gives no ${id}: ${lhr.audits[id]?.errorMessage}`);
	return value;
}

function listDetails(lhr: Result, id: string): Record<string, unknown>[] {
	const details = lhr.audits[id]?.details;
	return details?.type === "table" || details?.type === "opportunity" ? (details.items as Record<string, unknown>[]) : [];
}

const weightOfType: Record<string, keyof Weight> = {
	...{ Document: "html", Script: "scripts", Stylesheet: "styles", Font: "fonts", Image: "images" },
};

/** Adds up the audit `network-requests`. @throws when one of the requests failed. */
function weighRequests(requests: readonly Record<string, unknown>[]): Weight {
	const weight: Weight = { html: 0, scripts: 0, styles: 0, fonts: 0, images: 0, other: 0, requests: 0 };
	for (const { url, resourceType, transferSize, statusCode } of requests) {
		if (!String(url).startsWith("http")) continue;
		if (Number(statusCode) >= 400) throw new Error(`${url} answered ${statusCode}`);
		weight[weightOfType[String(resourceType)] ?? "other"] += Number(transferSize);
		weight.requests++;
	}
	return weight;
}

function listFindings(lhr: Result): Finding[] {
	const site = new URL(lhr.finalDisplayedUrl).origin;
	return categories.flatMap((category) =>
		(lhr.categories[category]?.auditRefs ?? []).flatMap(({ id, weight, group }): Finding[] => {
			const audit = lhr.audits[id];
			const passed = audit === undefined || audit.score === null || audit.score >= (group === "metrics" ? 0.9 : 1);
			if (passed || group === "hidden") return [];
			const parts = [audit.displayValue, audit.explanation, ...listDetails(lhr, id).slice(0, 3).map(formatItem)];
			const evidence = parts.filter(Boolean).join("; ").replaceAll(site, "");
			return [{ audit: id, category, title: audit.title, counts: weight > 0, evidence }];
		}),
	);
}

/** The words in an item of an audit's details: an element, a URL, a reason. */
function formatItem(item: Record<string, unknown>): string {
	const { node, url, reason, description, source } = item as Record<string, unknown> & { node?: { snippet?: string } };
	const parts = [node?.snippet, url, reason, description, source].filter((part) => typeof part === "string");
	return parts.join(" ").slice(0, 160);
}
