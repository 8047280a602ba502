import type pg from "pg";
import { fromKysely, type Job, type JobResult, PgBoss, type Queue } from "pg-boss";
import type { Trx } from "./database.ts";
import { describeFault, type Log } from "./log.ts";

/** A kind of job. A concept defines its own; app/jobs.ts says which verb does it. */
export interface JobKind<Data extends object> {
	name: string;
	/** At most one unfinished job per key: a second one sent meanwhile is dropped. */
	key: (data: Data) => string;
	retryLimit: number;
}

export interface Jobs {
	/** Sends inside the transaction that needs the job: both are there, or neither. */
	send<Data extends object>(trx: Trx, kind: JobKind<Data>, data: Data, startAfter?: Date): Promise<void>;
	/** Does the jobs of one kind, `concurrency` at a time. A throw means: try again later. */
	work<Data extends object>(
		kind: JobKind<Data>,
		concurrency: number,
		handler: (data: Data, signal: AbortSignal) => Promise<void>,
	): Promise<void>;
	/** Lets running jobs finish for `timeoutMs`, then hands the rest back. */
	stop(timeoutMs: number): Promise<void>;
}

/**
 * Starts the queue on PostgreSQL.
 * @param supervise true in a process that works: it also expires, retries and cleans.
 */
export async function startJobs(
	connection: pg.ClientConfig,
	kinds: JobKind<never>[],
	log: Log,
	{ supervise }: { supervise: boolean },
): Promise<Jobs> {
	const boss = new PgBoss({
		...(connection as object),
		schema: "jobs",
		application_name: "extrait-pro jobs",
		max: 4,
		useListenNotify: supervise,
		supervise,
		schedule: supervise,
		superviseIntervalSeconds: 1,
		monitorIntervalSeconds: 1,
	});
	boss.on("error", (error) => log.error({ error: error.message }, "the job queue reported an error"));
	await boss.start();
	for (const kind of kinds) {
		const options = {
			policy: "exclusive",
			notify: true,
			retryLimit: kind.retryLimit,
			retryDelay: 1,
			retryBackoff: true,
			retryDelayMax: 600,
			expireInSeconds: 120,
			// a worker that was killed is noticed after this, and its job starts elsewhere
			heartbeatSeconds: 10,
			deleteAfterSeconds: 86_400,
		} satisfies Omit<Queue, "name">;
		await boss.createQueue(kind.name, options);
	}
	return {
		async send(trx, kind, data, startAfter) {
			await boss.send(kind.name, data, { db: fromKysely(trx), singletonKey: kind.key(data), ...(startAfter && { startAfter }) });
		},
		async work(kind, concurrency, handler) {
			const options = {
				localConcurrency: 2,
				// a full batch is followed by the next at once: a backlog is not left to the next poll
				batchSize: Math.max(2, Math.ceil(concurrency / 2)),
				burstWhenBatchFull: true,
				perJobResults: true,
				// notified queues are otherwise polled every 30 s only, and retries are not notified
				pollingIntervalSeconds: 0.5,
				notifyPollingIntervalSeconds: 1,
				heartbeatRefreshSeconds: 3,
			} as const;
			const settle = async (job: Job<object>): Promise<JobResult> => {
				try {
					await handler(job.data as Parameters<typeof handler>[0], job.signal);
					return { id: job.id, status: "completed" };
				} catch (error) {
					log.error({ job: kind.name, id: job.id, error: describeFault(error) }, "a job failed and will be tried again");
					return { id: job.id, status: "failed", output: { fault: (error as Error).name } };
				}
			};
			await boss.work(kind.name, options, (jobs: Job<object>[]) => Promise.all(jobs.map(settle)));
		},
		async stop(timeoutMs) {
			await boss.stop({ graceful: true, timeout: timeoutMs });
		},
	};
}
