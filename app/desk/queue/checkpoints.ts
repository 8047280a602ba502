import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";

export interface Checkpoint {
	label: string;
	at: Date;
}

const hours = [
	{ label: "avant 10\u00a0h", hour: 10 },
	{ label: "avant midi", hour: 12 },
	{ label: "d’ici ce soir", hour: 24 },
];

/** The instants of today that the counters stop at, without those that have passed. */
export function listCheckpoints(now: Date): Checkpoint[] {
	const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).startOfDay();
	return hours
		.map(({ label, hour }) => ({
			label,
			at: new Date((hour === 24 ? today.add({ days: 1 }) : today.with({ hour })).epochMilliseconds),
		}))
		.filter(({ at }) => at > now);
}
