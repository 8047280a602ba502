import { isKeyOf } from "../types/objects.ts";
/** Points by limit; null when limits are off. */
export type LimitSettings<Name extends string> = Readonly<Record<Name, number>> | null;

/**
 * Parses a setting such as `searches=300,cities=300`, or `off`. Limits that it omits keep their defaults.
 * @param text undefined when the variable is not set.
 * @returns the points of each limit, or the problem in English.
 */
export function parseLimits<Name extends string>(
	text: string | undefined,
	defaults: Readonly<Record<Name, number>>,
): { ok: true; value: LimitSettings<Name> } | { ok: false; problem: string } {
	if (text?.trim() === "off") return { ok: true, value: null };
	const limits: Record<Name, number> = { ...defaults };
	for (const pair of text?.split(",") ?? []) {
		const [name = "", points = "", ...rest] = pair.split("=").map((part) => part.trim());
		if (!isKeyOf(defaults, name)) return { ok: false, problem: `« ${name} » is none of ${Object.keys(defaults).join(", ")}` };
		if (rest.length > 0 || !/^[1-9]\d{0,8}$/.test(points))
			return { ok: false, problem: `« ${name} » is not followed by = and a positive integer` };
		limits[name] = Number(points);
	}
	return { ok: true, value: limits };
}

/** Formats limits as a setting, for examples. */
export const formatLimits = (limits: Readonly<Record<string, number>>): string =>
	Object.entries(limits)
		.map(([name, points]) => `${name}=${points}`)
		.join(",");

/** Requests per minute of one client, for reads that cost processor time or queries. */
export const defaultReadLimits = {
	// those of companies, which are too many for the memory, and those that are never cached
	pages: 300,
	searches: 300,
	suggestions: 600,
	// up to two hundred searches each; a customer who corrects lines one by one makes two requests for each
	lists: 60,
	cities: 300,
	pictures: 120,
	sitemaps: 60,
	orders: 600,
	archives: 20,
	verifications: 120,
} as const;

export type ReadLimitName = keyof typeof defaultReadLimits;
export type ReadLimitSettings = LimitSettings<ReadLimitName>;
