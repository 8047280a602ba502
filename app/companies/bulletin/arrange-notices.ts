import type { Temporal } from "temporal-polyfill";
import type { BulletinNotice } from "./notice.ts";

/** The number of notices that a page shows at once, the others behind a fold. */
const maxUnfolded = 5;

/** The number of newest notices on a page: a bank has hundreds. */
export const maxLatest = 50;

/** The years for which insolvency notices come first. */
const insolvencyYears = 10;

/** The notices of a company in the order of its page. */
export interface ArrangedNotices {
	/** At most five. */
	first: BulletinNotice[];
	folded: BulletinNotice[];
	/** The number of all notices, also of those that are not shown. */
	total: number;
	/** Insolvency notices that are shown though they are not among the newest. */
	olderInsolvency: number;
}

/**
 * Arranges notices for a page: those of insolvency younger than ten years first, then the newest.
 * @param notices of a company, the newest first; older ones than the newest fifty may be missing, apart from those of insolvency.
 * @param total the number of all its notices.
 * @param today in Paris.
 */
export function arrangeNotices(notices: readonly BulletinNotice[], total: number, today: Temporal.PlainDate): ArrangedNotices {
	const since = startOfInsolvency(today);
	const insolvency = notices.filter((notice) => isInsolvency(notice) && notice.publishedOn > since).slice(0, maxLatest);
	const latest = notices.slice(0, maxLatest);
	const shown = [...new Set([...insolvency, ...latest])];
	return {
		first: shown.slice(0, maxUnfolded),
		folded: shown.slice(maxUnfolded),
		total,
		olderInsolvency: shown.length - latest.length,
	};
}

/** The day ten years ago, yyyy-mm-dd: insolvency notices published later are shown first, and told before an order is paid. */
export const startOfInsolvency = (today: Temporal.PlainDate): string => today.subtract({ years: insolvencyYears }).toString();

/** Whether a notice announces a step of an insolvency, and does not cancel one. */
const isInsolvency = ({ family, correction }: BulletinNotice) => family === "collective" && correction?.cancels !== true;
