import { sql } from "kysely";
import { findLastBackups } from "../../../server/database/last-backups.ts";
import { readDueJobs, readJobProcesses } from "../../../server/jobs.ts";
import type { Runtime } from "../../../server/runtime.ts";
import { readUnsentMails } from "../../mail/mails.store.server.ts";
import { countUnannounced } from "../../payments/payments.store.server.ts";
import type { BackupState, HealthFacts } from "./health.ts";
import type { PartProber } from "./probe-parts.server.ts";

/** Milliseconds for which a result is fresh. */
const resultTtlMs = 10_000;

/** Milliseconds for which the state of the backups is fresh: reading it lists a folder. */
const backupTtlMs = 300_000;

/** Milliseconds that a page waits for a result; an older one is shown meanwhile. */
const maxPageWaitMs = 300;

/** Milliseconds for a statement, so that a busy database is not slowed down. */
const statementTimeoutMs = 1000;

type MeasuredShop = Pick<Runtime, "db" | "now" | "environment"> & { prober: Pick<PartProber, "probe"> };

/**
 * Reads the health of the shop for a page, without slowing it down: while a new result is read, it returns the last one; null when the
 * first result takes longer than a page should wait.
 */
export type HealthReader = () => Promise<HealthFacts | null>;

export function createHealthReader(shop: MeasuredShop): HealthReader {
	let last: { facts: HealthFacts; at: number } | undefined;
	let running: Promise<HealthFacts> | undefined;
	let backup: { state: BackupState; at: number } | undefined;
	const measure = async (): Promise<HealthFacts> => {
		const [{ parts }, counts] = await Promise.all([shop.prober.probe(resultTtlMs), readCounts(shop)]);
		if (backup === undefined || performance.now() - backup.at >= backupTtlMs)
			backup = { state: await readBackup(shop), at: performance.now() };
		const { database, jobs, storage, mail, payment } = parts;
		const facts: HealthFacts = {
			at: shop.now(),
			database: database.ok,
			jobs: jobs.ok,
			storage: storage.ok,
			mail: mail.ok,
			payment: payment.ok,
			...counts,
			clockAhead: payment.clockAhead ?? null,
			backup: backup.state,
		};
		last = { facts, at: performance.now() };
		return facts;
	};
	return async () => {
		if (last && performance.now() - last.at < resultTtlMs) return last.facts;
		running ??= measure().finally(() => {
			running = undefined;
		});
		// nothing rejects, and a page must not fail if something did
		const result = running.catch(() => null);
		return last?.facts ?? Promise.race([result, waitFor(maxPageWaitMs)]);
	};
}

async function readCounts({ db, now }: MeasuredShop): Promise<Pick<HealthFacts, "queue" | "scheduleAge" | "mails" | "unannounced">> {
	try {
		return await db.transaction().execute(async (trx) => {
			await sql.raw(`set local statement_timeout = ${statementTimeoutMs}`).execute(trx);
			return {
				queue: await readDueJobs(trx),
				scheduleAge: (await readJobProcesses(trx)).scheduleAge,
				mails: await readUnsentMails(trx, now()),
				unannounced: await countUnannounced(trx, now()),
			};
		});
	} catch {
		return { queue: null, scheduleAge: null, mails: null, unannounced: null }; // the probe of the database says so
	}
}

/** Reads the oldest of the last backups that this machine knows. */
async function readBackup({ db, environment: { backupDir, production } }: MeasuredShop): Promise<BackupState> {
	try {
		const backups = await findLastBackups(db, backupDir);
		if (backups.length === 0) return { state: production ? "unknown" : "untracked" };
		if (backups.some(({ isFailing }) => isFailing)) return { state: "failing" };
		const times = backups.map(({ at }) => at?.getTime() ?? null);
		const known = times.filter((time) => time !== null);
		return { state: "known", at: known.length < times.length ? null : new Date(Math.min(...known)) };
	} catch {
		return { state: "unreadable" };
	}
}

const waitFor = (milliseconds: number) =>
	new Promise<null>((resolve) => {
		setTimeout(() => resolve(null), milliseconds).unref();
	});
