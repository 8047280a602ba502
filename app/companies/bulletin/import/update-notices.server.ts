import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { Client } from "../../../../server/database/database.ts";
import { day as dayMs } from "../../../../server/durations.ts";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { maxNamedFaults } from "../../../../server/files/skipped-entries.ts";
import { PartnerError } from "../../../../server/partners/partner-error.ts";
import { retryPausesMs } from "../../../../server/partners/request-retries.ts";
import { toParisDay } from "../../../catalogue/settings/days-off.ts";
import { type BulletinClock, type BulletinReader, BulletinUnanswered, createBulletinReader } from "./bulletin-api.server.ts";
import { addDays, type Coverage } from "./coverage.ts";
import { readRecords } from "./export-records.server.ts";
import {
	type Counts,
	clearStaging,
	createStaging,
	emptyCounts,
	findCoverage,
	lockBulletin,
	recordReached,
	storeStaged,
} from "./import.store.server.ts";
import { createStager } from "./stage-notices.server.ts";

export interface UpdateOptions extends Partial<BulletinClock> {
	/** The base URL of the bulletin's API, without a trailing slash. */
	base: string;
	/** The first day to read, yyyy-mm-dd; by default the last one covered, with some overlap. */
	since?: string;
	/** Receives the completed fraction, 0 to 1, and the number of notices read. */
	onProgress?: (fraction: number, notices: number) => void;
}

export interface UpdateSummary extends Counts {
	added: number;
	changed: number;
	removed: number;
	/** The days that were read. */
	from: string;
	days: number;
	coverage: Coverage | null;
	/** Whether the first day was chosen for want of an earlier reading. */
	isFirst: boolean;
	/** Why the update stopped early, as a sentence. The days before stay read, and the next update goes on there. */
	stopped: string | null;
}

/** Days that are read again, because the bulletin corrects its data after the day, and may load an issue days late. */
const overlap = 10;
const firstReadDays = 7;

/**
 * Reads the bulletin from its API, one day after the other, up to today in Paris. Each day is one transaction together with how far the
 * bulletin was read, and counts only when the API gave every notice of it. A day without notices counts once a later one has some: its
 * issue may still come. The time of the last reading moves with the last day covered, and when today was reached. Imports wait for each
 * other.
 */
export async function updateNotices(
	connection: pg.ClientConfig,
	{ base, since, now = Date.now, sleep: wait = sleep, timeout = 30_000, onProgress = () => {} }: UpdateOptions,
): Promise<UpdateSummary> {
	const client = new Client({ application_name: "extrait-pro bulletin", ...connection });
	await client.connect();
	try {
		await lockBulletin(client);
		await createStaging(client, "pg_temp", "api");
		const reader = createBulletinReader(base, { now, timeout });
		const today = toParisDay(new Date(now())).toString();
		const known = await findCoverage(client);
		const from = since ?? (known ? startOverlap(known) : addDays(today, 1 - firstReadDays));
		const summary: UpdateSummary = {
			...emptyCounts(),
			added: 0,
			changed: 0,
			removed: 0,
			from,
			days: 0,
			coverage: known,
			isFirst: since === undefined && known === null,
			stopped: null,
		};
		if (known && from > addDays(known.to, 1))
			return { ...summary, stopped: `The bulletin was read up to ${known.to}: to begin on ${from} would leave a gap.` };
		const wanted = (Date.parse(today) - Date.parse(from)) / dayMs + 1;
		let covers: Coverage | null = null;
		for (let day = from; day <= today; day = addDays(day, 1)) {
			try {
				const counts = await readDay({ client, reader, day, wait });
				if (counts.read > 0) covers = { from, to: day };
				const stored = await storeStaged(client, "pg_temp", { at: new Date(now()), covers, goesOn: true });
				addCounts(summary, counts);
				for (const count of ["added", "changed", "removed"] as const) summary[count] += stored[count];
				summary.coverage = stored.coverage;
				summary.days++;
			} catch (error) {
				if (!(error instanceof PartnerError)) throw error;
				return { ...summary, stopped: error.message };
			}
			onProgress(summary.days / wanted, summary.read);
		}
		await recordReached(client, new Date(now()));
		return summary;
	} finally {
		await client.end();
	}
}

function startOverlap(known: Coverage): string {
	const day = addDays(known.to, 1 - overlap);
	return day < known.from ? known.from : day;
}

interface Day {
	client: pg.Client;
	reader: BulletinReader;
	day: string;
	wait: BulletinClock["sleep"];
}

/** Stages all notices of a day. @throws PartnerError when the API does not give them, after some attempts. */
async function readDay({ wait, ...day }: Day): Promise<Counts> {
	for (let attempt = 0; ; attempt++) {
		try {
			return await tryDay(day);
		} catch (error) {
			if (error instanceof BrokenFile && !error.isCut)
				throw new PartnerError(`The bulletin's API answered what is no list of notices: ${error.message}`);
			if (!(error instanceof BulletinUnanswered || error instanceof BrokenFile)) throw error;
			const pause = retryPausesMs[attempt];
			if (pause === undefined)
				throw new PartnerError(
					`The bulletin's API did not give the notices of ${day.day}, after ${attempt + 1} attempts: ${error.message.replace(/\.$/, "")}.`,
				);
			await wait((error instanceof BulletinUnanswered ? error.waitMs : null) ?? pause);
		}
	}
}

async function tryDay({ client, reader, day }: Omit<Day, "wait">): Promise<Counts> {
	await clearStaging(client);
	const announced = await reader.countNotices(day);
	const checkpoint = { file: 0, records: 0, recognised: false, counts: emptyCounts() };
	if (announced === 0) return checkpoint.counts;
	const stager = createStager(client, "pg_temp", { checkpoint });
	const records = readRecords({ name: day, chunks: await reader.openNotices(day) });
	await stager.stage(day, records, ({ notice, id }) => {
		if (typeof notice !== "string" && notice.publishedOn !== day)
			throw new PartnerError(`The bulletin's API gave ${id} of ${notice.publishedOn} for ${day}.`);
	});
	const { read } = checkpoint.counts;
	// the bulletin may have changed in between
	if (read !== announced && read !== (await reader.countNotices(day)))
		throw new BulletinUnanswered(`it announced ${announced} notices and gave ${read}`);
	return checkpoint.counts;
}

function addCounts(sum: Counts, counts: Counts): void {
	for (const count of ["read", "kept", "corrections", "broken"] as const) sum[count] += counts[count];
	for (const [reason, notices] of Object.entries(counts.skipped)) sum.skipped[reason] = (sum.skipped[reason] ?? 0) + notices;
	sum.faults = [...sum.faults, ...counts.faults].slice(0, maxNamedFaults);
}
