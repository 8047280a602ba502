import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import type { Jobs } from "../../server/jobs.ts";

interface WaitingJob {
	id: string;
	name: string;
	data: object;
}

/**
 * A queue in the same database, done only when a history says so. As with the real one, a job is there if and only if the
 * transaction that sent it is, at most one per kind and key is unfinished, and one that throws is tried again.
 */
export async function openQueue(db: Database, now: () => Date) {
	await sql`
		create table history_jobs (
			id bigint generated always as identity primary key, name text not null, key text not null,
			data jsonb not null, start_after timestamptz, unique (name, key)
		)`.execute(db);
	const handlers = new Map<string, (data: object) => Promise<void>>();
	const signal = new AbortController().signal;

	const jobs: Jobs = {
		async send(trx, kind, data, startAfter) {
			await sql`
				insert into history_jobs (name, key, data, start_after)
				values (${kind.name}, ${kind.key(data)}, ${JSON.stringify(data)}::jsonb, ${startAfter ?? null}::timestamptz)
				on conflict do nothing`.execute(trx);
		},
		async work(kind, _concurrency, handler) {
			handlers.set(kind.name, (data) => handler(data as Parameters<typeof handler>[0], signal));
		},
		async stop() {},
	};

	async function waiting(): Promise<WaitingJob[]> {
		const { rows } = await sql<WaitingJob>`
			select id, name, data from history_jobs where start_after is null or start_after <= ${now()} order by id`.execute(db);
		return rows;
	}

	/** Does one job; what it throws leaves it where it is. @returns what was thrown. */
	async function run({ id, name, data }: WaitingJob): Promise<unknown> {
		try {
			await handlers.get(name)?.(data);
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
		/** Does everything that can be done now. @throws what a job throws again and again. */
		async drain(): Promise<void> {
			let fault: unknown;
			for (let round = 0; round < 20; round++) {
				const due = await waiting();
				if (due.length === 0) return;
				for (const job of due) fault = (await run(job)) ?? fault;
			}
			throw new Error("jobs come to no end", { cause: fault });
		},
		/** What was lost with a restored database. */
		forgetAll: async () => void (await sql`delete from history_jobs`.execute(db)),
	};
}
