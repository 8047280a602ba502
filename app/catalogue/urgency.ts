import { minute } from "../../server/durations.ts";

/** Formats the time until an instant, or since: « 1 h 20 », « 3 j 4 h », « retard 45 min ». */
export function formatTimeLeft(until: Date, now: Date): string {
	const difference = until.getTime() - now.getTime();
	const minutes = Math.floor(Math.abs(difference) / minute);
	const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
	const length =
		days > 0
			? `${days}\u00a0j${hours > 0 ? ` ${hours}\u00a0h` : ""}`
			: hours > 0
				? `${hours}\u00a0h\u00a0${String(rest).padStart(2, "0")}`
				: `${rest}\u00a0min`;
	return difference < 0 ? `retard ${length}` : length;
}

/** How pressing a promise is: its instant has passed, or is at most 30 or 60 minutes away. */
export type Urgency = "late" | "now" | "soon" | "later";

export function getUrgency(until: Date, now: Date): Urgency {
	const minutes = (until.getTime() - now.getTime()) / minute;
	if (minutes < 0) return "late";
	if (minutes <= 30) return "now";
	return minutes <= 60 ? "soon" : "later";
}
