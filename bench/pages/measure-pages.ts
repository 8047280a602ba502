import { median } from "../percentiles.ts";
import { measurePage, type Run } from "./lighthouse.ts";
import type { PublicPage } from "./routes.ts";

/** What a page is promised to reach in Lighthouse, in points, and how much it may move as it loads. */
export const goals = { performance: 99, others: 100, cls: 0 } as const;

/** What was measured of one page, several loads' medians. */
export interface MeasuredPage extends PublicPage, Run {
	/** The largest contentful paint of each load, in milliseconds. */
	lcps: number[];
}

/**
 * Loads a page `times` times. Where that was below its goal in what a busy machine can spoil, it is loaded `again` times more and all loads
 * count: neither the best nor the worst of them is chosen.
 */
export async function measurePublicPage(
	page: PublicPage,
	{ url, port, times, again }: { url: string; port: number; times: number; again: number },
): Promise<MeasuredPage> {
	const runs: Run[] = [];
	const load = async (count: number) => {
		for (let time = 0; time < count; time++) runs.push(await measurePage(url + page.path, port));
	};
	await load(times);
	const { scores, cls } = medianRun(runs);
	if (scores.performance < goals.performance || cls > goals.cls) await load(again);
	return { ...page, ...medianRun(runs), lcps: runs.map(({ lcp }) => lcp) };
}

/** Each measure's median; what does not vary as the first load found it. */
function medianRun(runs: readonly Run[]): Run {
	const [first] = runs;
	if (first === undefined) throw new Error("no load, no median");
	const of = (measure: (run: Run) => number) => median(runs.map(measure));
	return {
		...first,
		scores: {
			performance: of(({ scores }) => scores.performance),
			accessibility: of(({ scores }) => scores.accessibility),
			"best-practices": of(({ scores }) => scores["best-practices"]),
			seo: of(({ scores }) => scores.seo),
		},
		seoButForNoindex: of(({ seoButForNoindex }) => seoButForNoindex),
		lcp: of(({ lcp }) => lcp),
		cls: of(({ cls }) => cls),
		tbt: of(({ tbt }) => tbt),
		processor: of(({ processor }) => processor),
		findings: [...new Map(runs.flatMap(({ findings }) => findings).map((finding) => [finding.audit, finding])).values()],
	};
}
