import type { Runtime } from "../../server/runtime.ts";
import { computeRetentionCutoff, retention } from "../catalogue/retention.ts";
import { type Availability, lastDays, sumUp } from "./availability.ts";
import { groupIncidents, type Incident } from "./incidents.ts";
import { type Part, partNames } from "./part.ts";
import type { PartProber } from "./probe-parts.server.ts";
import { findProbeSpan, listChanges, listProbeDays } from "./status.store.server.ts";

export interface DescribedStatus {
	/** When the parts were asked. */
	at: Date;
	/** The last measure that was written; null before the first. */
	measuredAt: Date | null;
	/** The first measure, if it is within the days shown. */
	begunAt: Date | null;
	parts: DescribedPart[];
	/** The latest first. */
	incidents: Incident[];
	/** How many incidents the days shown had, listed or not. */
	incidentCount: number;
}

export interface DescribedPart {
	part: Part;
	/** Null: it works. */
	downSince: Date | null;
	availability: Availability;
}

/** Milliseconds for which an answer of the parts will do: many who look at the page ask the partners once. */
const answerTtlMs = 10_000;

const mostIncidents = 20;

/** The state of each part now, and its measures of the last ninety days. */
export async function describeStatus({
	db,
	now: clock,
	prober,
}: Pick<Runtime, "db" | "now"> & { prober: PartProber }): Promise<DescribedStatus> {
	const now = clock();
	const days = lastDays(now, retention.probes.days);
	const [answer, span, probeDays, changes] = await Promise.all([
		prober.probe(answerTtlMs),
		findProbeSpan(db),
		listProbeDays(db, days[0]?.day ?? ""),
		listChanges(db, computeRetentionCutoff(now, retention.probes)),
	]);
	// a part that works now has ended its incident before a measure says so; an answer older than the last measure does not count
	const isLatest = span.last === null || answer.at >= span.last;
	const working = partNames.filter((part) => isLatest && answer.parts[part].ok).map((part) => ({ part, at: answer.at, ok: true }));
	const incidents = groupIncidents([...changes, ...working]);
	return {
		at: answer.at,
		measuredAt: span.last,
		begunAt: span.first && days[0] && span.first > days[0].begin ? span.first : null,
		parts: partNames.map((part) => ({
			part,
			downSince: answer.parts[part].ok
				? null
				: (incidents.find((incident) => incident.part === part && !incident.until)?.from ?? answer.at),
			availability: sumUp(
				probeDays.filter((row) => row.part === part),
				days,
				span,
				now,
			),
		})),
		incidents: incidents.slice(0, mostIncidents),
		incidentCount: incidents.length,
	};
}
