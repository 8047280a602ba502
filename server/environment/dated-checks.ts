/** Months after which a fact of the law, or an official price, must be compared with its source again. */
export const checkMonths = 12;

/**
 * Whether a check is too old, or lies in the future.
 * @param checkedOn an ISO date. @param months after it, until when it is good; a 29 February becomes 1 March.
 */
export function isCheckTooOld(checkedOn: string, now: Date, months = checkMonths): boolean {
	const checked = new Date(checkedOn);
	const end = new Date(checked);
	end.setUTCMonth(end.getUTCMonth() + months);
	return now >= end || checked > now;
}
