/** Months after which a fact of the law, or an official price, must be compared with its source again. */
export const checkMonths = 12;

/** « 2026-11-28 »: the day in Paris, where the owner may write it down just after midnight. */
const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });

/**
 * Whether a check is too old, or lies in the future.
 * @param checkedOn an ISO date. @param months after it, until when it is good; a 29 February becomes 1 March.
 */
export function isCheckTooOld(checkedOn: string, now: Date, months = checkMonths): boolean {
	const end = new Date(checkedOn);
	end.setUTCMonth(end.getUTCMonth() + months);
	return now >= end || checkedOn > day.format(now);
}

/** Lists the facts that must be compared with their source again. @param months after their last check. */
export const listStale = <Fact extends { checkedOn: string }>(facts: readonly Fact[], now: Date, months?: number): Fact[] =>
	facts.filter(({ checkedOn }) => isCheckTooOld(checkedOn, now, months));
