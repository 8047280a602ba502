import { hour } from "../../../server/durations.ts";
import { replyHours } from "../../catalogue/after-sale.ts";

/** What is left of the promise to answer, in words and as a state. */
export interface TimeToAnswer {
	text: string;
	kind: "waiting" | "warning" | "failed";
}

/** @param since when the customer began to wait. */
export function describeTimeToAnswer(since: Date, now: Date): TimeToAnswer {
	const left = since.getTime() + replyHours * hour - now.getTime();
	const minutes = Math.floor(Math.abs(left) / 60_000);
	const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
	const parts =
		days > 0
			? [`${days}\u00a0j`, `${hours}\u00a0h`]
			: hours > 0
				? [`${hours}\u00a0h`, `${String(rest).padStart(2, "0")}`]
				: [`${rest}\u00a0min`];
	const length = parts.join("\u00a0");
	if (left < 0) return { text: `en retard de ${length}`, kind: "failed" };
	return { text: `à répondre sous ${length}`, kind: left < 4 * hour ? "warning" : "waiting" };
}
