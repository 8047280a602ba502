import type { Runtime } from "../../../server/runtime.ts";
import { computeRetentionCutoff, retention } from "../../catalogue/retention.ts";
import { type Availability, lastDays, sumUp } from "./availability.ts";
import { groupIncidents, type Incident } from "./incidents.ts";
import { type Part, partNames } from "./part.ts";
import type { PartProber } from "./probe-parts.server.ts";
import { findProbeSpan, listChanges, listProbeDays } from "./status.store.server.ts";

export interface DescribedStatus {
	/** The instant of the probes. */
	at: Date;
	/** The last recorded measure; null before the first. */
	measuredAt: Date | null;
	/** The first measure, if it is within the days shown. */
	begunAt: Date | null;
	parts: DescribedPart[];
	/** The latest first. */
	incidents: Incident[];
	/** The number of incidents in the days shown, listed or not. */
	incidentCount: number;
}

export interface DescribedPart {
	part: Part;
	/** Null: it works. */
	downSince: Date | null;
	availability: Availability;
}

/** Milliseconds for which a result may be reused, so that many views of the page cause one request to each partner. */
const resultTtlMs = 10_000;

const mostIncidents = 20;

/** The state of each part now, and its measures of the last ninety days. */
export async function describeStatus({
	db,
	now: clock,
	prober,
}: Pick<Runtime, "db" | "now"> & { prober: PartProber }): Promise<DescribedStatus> {
	const now = clock();
	const days = lastDays(now, retention.probes.days);
	const [result, span, probeDays, changes] = await Promise.all([
		prober.probe(resultTtlMs),
		findProbeSpan(db),
		listProbeDays(db, days[0]?.day ?? ""),
		listChanges(db, computeRetentionCutoff(now, retention.probes)),
	]);
	// a part that works now ends its incident before the next measure; a result older than the last measure does not count
	const isLatest = span.last === null || result.at >= span.last;
	const working = partNames.filter((part) => isLatest && result.parts[part].ok).map((part) => ({ part, at: result.at, ok: true }));
	const incidents = groupIncidents([...changes, ...working]);
	return {
		at: result.at,
		measuredAt: span.last,
		begunAt: span.first && days[0] && span.first > days[0].begin ? span.first : null,
		parts: partNames.map((part) => ({
			part,
			downSince: result.parts[part].ok
				? null
				: (incidents.find((incident) => incident.part === part && !incident.until)?.from ?? result.at),
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
