/** How many points each of some limits has. */
export type LimitSettings<Name extends string> = Record<Name, number>;

/**
 * Reads limits as a variable has them: `client=30,mailbox=10`; those that are not named keep their default. `off` is no limits at all.
 * @returns null for `off`, or a sentence that says what is wrong.
 */
export function parseLimits<Name extends string>(
	text: string,
	defaults: LimitSettings<Name>,
): { ok: true; limits: LimitSettings<Name> | null } | { ok: false; problem: string } {
	if (text.trim() === "off") return { ok: true, limits: null };
	const limits = { ...defaults };
	for (const pair of text.split(",")) {
		const [, name = "", points = ""] = /^\s*([a-z]+)\s*=\s*(\d{1,9})\s*$/.exec(pair) ?? [];
		if (!Object.hasOwn(defaults, name) || Number(points) === 0)
			return { ok: false, problem: `« ${pair.trim()} » is not one of ${Object.keys(defaults).join(", ")} with a whole number above 0` };
		limits[name as Name] = Number(points);
	}
	return { ok: true, limits };
}
