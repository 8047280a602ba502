import type { Database } from "../../server/database/database.ts";
import { toProbeTime } from "./part.ts";
import type { PartProber } from "./probe-parts.server.ts";
import { insertProbes } from "./status.store.server.ts";

/** Probes every part and records the results, once for each due instant. */
export async function measureParts({ db, prober }: { db: Database; prober: PartProber }): Promise<void> {
	const { at, parts } = await prober.probe();
	await insertProbes(db, toProbeTime(at), parts);
}
