import { sql } from "kysely";
import type pg from "pg";
import { fromKysely, type Job, type JobResult, PgBoss, type Queue } from "pg-boss";
import { type Database, openDatabase, preparedMark, type Trx, timeouts } from "./database/database.ts";
import { listen } from "./database/listen.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { describeFault, type Log } from "./observability/log.ts";
import { currentContext, inContext, type RequestContext } from "./observability/request-context.ts";
import type { Span, Tracer } from "./observability/tracing.ts";
import { typedEntries } from "./types/objects.ts";

/** A kind of job. A concept defines its own; app/jobs.ts says which verb does it. */
export interface JobKind<Data extends object> {
	name: string;
	/** At most one unfinished job per key: a second one sent meanwhile is dropped. */
	key(data: Data): string;
	retryLimit: number;
	/**
	 * When it is sent by the clock, Europe/Paris, with `{}` as its data: once in the whole shop. Not while the one before is unfinished;
	 * after a time when nothing ran, once for all that was missed; whatever became of the one before.
	 */
	cron?: string;
	/** Sent for many at once: that it waits for long says nothing of the shop. */
	mayWait?: true;
}

/** What a job's data hold beside what its kind has: what was under way when it was sent. */
interface Sent {
	from?: Pick<RequestContext, "request" | "order"> & { traceparent?: string };
}

/** pg-boss's priority of what may wait; anything else has its default, 0. */
const waitingPriority = -1;

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

const quietFor = 10_000;

/**
 * Starts the queue on PostgreSQL.
 * @param supervise true in a process that works: it also expires, retries, cleans, sends by the clock, and writes a heartbeat.
 * @param tracer where traces are made: each job goes on with that of what sent it.
 * @param end what ends a process that hangs (see startHeartbeat).
 * @returns the queue, and its own connections.
 */
export async function startJobs(
	connection: pg.ClientConfig,
	kinds: readonly JobKind<object>[],
	log: Log,
	{ supervise, tracer, end = () => process.exit(1) }: { supervise: boolean; tracer?: Tracer | undefined; end?: () => void },
): Promise<Jobs & { pool: pg.Pool }> {
	const application_name = "extrait-pro jobs";
	const { pool } = openDatabase({ application_name, max: supervise ? 4 : 1, ...timeouts.queue, ...connection }, log);
	const boss = new PgBoss({
		db: {
			executeSql: (text, values) => pool.query(text, values),
			async listen(channel, onNotification, onListening) {
				const onLost = (reason: string) => log.warn({ reason }, "the job queue lost its connection");
				const { stop } = listen({ application_name, ...connection }, channel, { onNotification, onListening, onLost });
				return { close: stop };
			},
		},
		schema: "jobs",
		useListenNotify: supervise,
		supervise,
		schedule: supervise,
		superviseIntervalSeconds: 1,
		monitorIntervalSeconds: 1,
		cronMonitorIntervalSeconds: 5,
		cronWorkerIntervalSeconds: 1,
	});
	let reportedAt = 0;
	boss.on("error", (error) => {
		// each worker polls, and while the database is away each poll says so
		if (Date.now() - reportedAt < quietFor) return;
		reportedAt = Date.now();
		log.error({ error: error.message }, "the job queue reported an error");
	});
	await boss.start();
	await prepareQueues(boss, kinds, supervise);
	const heartbeat = supervise ? await startHeartbeat(pool, log, end) : undefined;
	return {
		pool,
		async send(trx, kind, data, startAfter) {
			const { request, order, span } = currentContext();
			const from = { ...(request && { request }), ...(order && { order }), ...(span && { traceparent: span.traceparent }) };
			await boss.send(
				kind.name,
				{ ...data, ...(Object.keys(from).length > 0 && { from }) },
				{
					db: plannedIn(trx),
					singletonKey: kind.key(data),
					...(startAfter && { startAfter }),
					...(kind.mayWait && { priority: waitingPriority }),
				},
			);
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
			const settle = ({ data: sent, ...job }: Job<Sent & { orderId?: string }>): Promise<JobResult> => {
				const { from: { traceparent, ...cause } = {}, ...data } = sent;
				const order = data.orderId ?? cause.order;
				const named = { "messaging.system": "pg-boss", "messaging.destination.name": kind.name, "shop.job.id": job.id };
				const span = tracer?.start(`job ${kind.name}`, "consumer", named, traceparent);
				const context = { ...cause, ...(order && { order }), job: kind.name, jobId: job.id, ...(span && { span }) };
				return inContext(context, () => attempt(job, data as never, span));
			};
			const attempt = async (
				job: Pick<Job, "id" | "signal">,
				data: Parameters<typeof handler>[0],
				span: Span | undefined,
			): Promise<JobResult> => {
				try {
					await handler(data, job.signal).finally(() => span?.set({ "shop.order.id": currentContext().order ?? "" }));
					span?.end();
					return { id: job.id, status: "completed" };
				} catch (error) {
					span?.end(error);
					log.error({ job: kind.name, id: job.id, error: describeFault(error) }, "a job failed and will be tried again");
					// kept with the job: the fault's name only, since its text may quote a person
					return { id: job.id, status: "failed", output: { fault: error instanceof Error ? error.name : "unknown" } };
				}
			};
			await boss.work(kind.name, options, (jobs: Job<object>[]) => Promise.all(jobs.map(settle)));
			if (kind.cron) {
				const key = kind.key({} as Parameters<typeof handler>[0]);
				await boss.schedule(kind.name, kind.cron, {}, { tz: "Europe/Paris", singletonKey: key, missed: "once" });
			}
		},
		async stop(timeoutMs) {
			await heartbeat?.stop();
			await boss.stop({ timeout: timeoutMs });
			// a second stop finds nothing left to close
			if (!pool.ending) await pool.end();
		},
	};
}

/** Has the queue write within a transaction; its one statement per kind takes longer to plan than to run. */
function plannedIn(trx: Trx): ReturnType<typeof fromKysely> {
	const { executeSql } = fromKysely(trx);
	return { executeSql: (text, values) => executeSql(`${preparedMark} ${text}`, values) };
}

/** A queue for each kind, as the kind is now. A process that only sends makes what is missing and leaves the rest. */
async function prepareQueues(boss: PgBoss, kinds: readonly JobKind<object>[], supervise: boolean): Promise<void> {
	const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
	for (const kind of kinds) {
		const options = {
			notify: true,
			retryLimit: kind.retryLimit,
			retryDelay: 1,
			retryBackoff: true,
			retryDelayMax: 120,
			// what is sent by the clock goes through many rows
			expireInSeconds: kind.cron ? 3600 : 120,
			// a worker that was killed is noticed after this, and its job starts elsewhere
			heartbeatSeconds: 10,
			deleteAfterSeconds: 86_400,
		} satisfies Omit<Queue, "name">;
		const found = known.get(kind.name);
		const changed = typedEntries(options).some(([name, value]) => found?.[name] !== value);
		if (!found) await boss.createQueue(kind.name, { ...options, policy: "exclusive" });
		else if (supervise && changed) await boss.updateQueue(kind.name, options);
	}
	if (!supervise) return;
	for (const { name, key } of await boss.getSchedules()) {
		if (!kinds.some((kind) => kind.name === name && kind.cron)) await boss.unschedule(name, key);
	}
}

/** Whether some process does jobs, and none that could be done has waited for more than ten minutes, but for those that may. */
export async function areJobsProcessed(db: Database): Promise<boolean> {
	const { rows } = await sql<{ done: boolean }>`
		select exists (select from job_processes where seen_at > now() - interval '30 seconds')
			and not exists (select from jobs.job where state < 'active' and not blocked and start_after < now() - interval '10 minutes'
				and priority > ${waitingPriority}) as done
	`.execute(db);
	return rows[0]?.done === true;
}

/** The queue as the metrics tell it: for each kind what could be done now, how long the oldest waits, in seconds, and what gave up. */
export async function readQueue(
	trx: Trx,
): Promise<{ jobs: { job: string; waiting: number; lag: number; failed: number }[]; processes: number }> {
	const { rows: jobs } = await sql<{ job: string; waiting: number; lag: number; failed: number }>`
		select queue.name as job, coalesce(waiting, 0)::integer as waiting, coalesce(lag, 0)::float8 as lag, coalesce(failed, 0)::integer as failed
		from jobs.queue left join (
			select name, count(*) filter (where state < 'active' and start_after <= now()) as waiting,
				extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())) as lag,
				count(*) filter (where state = 'failed') as failed
			from jobs.job where (state < 'active' and not blocked) or state = 'failed' group by name
		) as job on job.name = queue.name
		where queue.name not like '\\_\\_%'
	`.execute(trx);
	const { rows } = await sql<{ processes: number }>`
		select count(*)::integer as processes from job_processes where seen_at > now() - interval '30 seconds'`.execute(trx);
	return { jobs, processes: rows[0]?.processes ?? 0 };
}
