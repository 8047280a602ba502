import { sql } from "kysely";
import { jobKinds } from "../../app/job-kinds.ts";
import type { Database } from "../../server/database/database.ts";
import { getJobKey, type Jobs } from "../../server/jobs.ts";
import { currentContext, inContext } from "../../server/observability/request-context.ts";

interface WaitingJob {
	id: string;
	name: string;
	data: object;
}

/**
 * A queue in the same database whose jobs run only when a history says so. Like the real one, it adds a job in the transaction that sends
 * it, has at most one unfinished job per kind and key, and repeats a job that throws.
 */
export async function createQueue(db: Database, now: () => Date) {
	await sql`
		create table history_jobs (
			id bigint generated always as identity primary key, name text not null, key text not null,
			data jsonb not null, start_after timestamptz, unique (name, key)
		)`.execute(db);
	const handlers = new Map<string, (data: object) => Promise<unknown>>();
	const signal = new AbortController().signal;

	const jobs: Jobs = {
		async send(trx, name, data, startAfter) {
			await sql`
				insert into history_jobs (name, key, data, start_after)
				values (${name}, ${getJobKey(jobKinds[name], data)}, ${JSON.stringify(data)}::jsonb, ${startAfter ?? null}::timestamptz)
				on conflict do nothing`.execute(trx);
		},
		async complete(trx, name) {
			const { job, jobId } = currentContext();
			if (job === name) await sql`delete from history_jobs where id = ${jobId}`.execute(trx);
		},
		async work(name, handler) {
			handlers.set(name, (data) => handler(data as Parameters<typeof handler>[0], signal));
		},
		/** The database is then again as later files of the worker expect it. */
		async stop() {
			await sql`drop table history_jobs`.execute(db);
		},
	};

	async function waiting(): Promise<WaitingJob[]> {
		const { rows } = await sql<WaitingJob>`
			select id, name, data from history_jobs where start_after is null or start_after <= ${now()} order by id`.execute(db);
		return rows;
	}

	/** Runs one job; a job that throws stays in the queue. @returns the error. */
	async function run({ id, name, data }: WaitingJob): Promise<unknown> {
		try {
			await inContext({ job: name, jobId: id }, async () => handlers.get(name)?.(data));
		} catch (error) {
			return error;
		}
		await sql`delete from history_jobs where id = ${id}`.execute(db);
		return undefined;
	}

	return {
		jobs,
		waiting,
		run,
		/** Runs all jobs that are due. @throws when jobs keep failing. */
		async drain(): Promise<void> {
			let fault: unknown;
			for (let round = 0; round < 20; round++) {
				const due = await waiting();
				if (due.length === 0) return;
				for (const job of due) fault = (await run(job)) ?? fault;
			}
			throw new Error("jobs never end", { cause: fault });
		},
		/** Deletes all jobs, as a restored database loses them. */
		deleteAll: async () => void (await sql`delete from history_jobs`.execute(db)),
	};
}
