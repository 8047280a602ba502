import { sql } from "kysely";
import type pg from "pg";
import { type Db, type Job, type JobResult, PgBoss, type Queue } from "pg-boss";
import { type Database, openDatabase, type Trx, timeouts } from "./database/database.ts";
import { preparedQuery } from "./database/dialect.ts";
import { listen } from "./database/listen.ts";
import { daySeconds, hourSeconds } from "./durations.ts";
import { maxScheduleAge, maxWaitMinutes } from "./health-limits.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { describeFault, type Log } from "./observability/log.ts";
import { createRepeats, getFaultKind } from "./observability/repeated-lines.ts";
import { currentContext, inContext, type RequestContext } from "./observability/request-context.ts";
import type { Span, Tracer } from "./observability/tracing.ts";
import { toError } from "./types/errors.ts";
import { typedEntries } from "./types/objects.ts";

/** A kind of job. */
export interface JobKind<Data extends object> {
	/** The queue holds at most one unfinished job per key and ignores a second one. Without it: one of the kind, whose data are `{}`. */
	key?(data: Data): string;
	retryLimit: number;
	/** How many jobs run at once in one process. The default is 4, and 1 without a key. */
	concurrency?: number;
	/**
	 * A schedule in Europe/Paris time, for a kind without a key. The shop sends it once, not once per process, and skips a run while the
	 * previous one is unfinished. After an outage it sends one job for all missed runs.
	 */
	cron?: string;
	/** Low priority, for jobs sent in bulk; not counted by the readiness check. */
	lowPriority?: true;
}

/** The shop's kinds by name: app/job-kinds.ts declares its table here, so that the compiler checks the name and data of each sent job. */
// biome-ignore lint/suspicious/noEmptyInterface: the declaration in app/job-kinds.ts extends it
export interface JobKinds {}

/** The data of a kind of job. */
export type JobData<Name extends keyof Kinds, Kinds = JobKinds> = Kinds[Name] extends { key(data: infer Data extends object): string }
	? Data
	: Record<string, never>;

/** Every job's data also hold the context that sent it. */
interface SentData {
	from?: Pick<RequestContext, "request" | "order"> & { traceparent?: string };
}

/** The pg-boss priority of low-priority jobs; all others have its default, 0. */
const lowPriorityValue = -1;

export interface Jobs<Kinds = JobKinds> {
	/** Sends a job inside a transaction: the job exists only if the transaction is committed. */
	send<Name extends keyof Kinds & string>(trx: Trx, name: Name, data: JobData<Name, Kinds>, startAfter?: Date): Promise<void>;
	/**
	 * Completes the running job of this kind in the last transaction of its handler, so that its effect and its end are committed together.
	 * Does nothing outside of such a job. A job that its handler does not complete is completed once the handler has ended.
	 */
	complete(trx: Trx, name: keyof Kinds & string): Promise<void>;
	/** Runs the handler for each job of a kind, as many at once as its `concurrency`. A job whose handler throws is tried again later. */
	work<Name extends keyof Kinds & string>(
		name: Name,
		handler: (data: JobData<Name, Kinds>, signal: AbortSignal) => Promise<unknown>,
	): Promise<void>;
	/** Gives running jobs `timeoutMs` to finish, then returns the others to the queue. */
	stop(timeoutMs: number): Promise<void>;
}

/** @returns the key of a job in the queue. */
export const getJobKey = (kind: JobKind<never>, data: object): string => kind.key?.(data as never) ?? "all";

const errorLogIntervalMs = 10_000;

/** How late a job may start that starts later, or again. */
const pollingIntervalMs = 1000;

/**
 * Starts the queue on PostgreSQL.
 * @param supervise true in a process that does jobs: it also expires, retries, cleans, runs the schedules, and writes a heartbeat.
 * @param tracer continues in each job the trace of its sender.
 * @param end ends a process that hangs (see startHeartbeat).
 * @returns the queue and its connection pool.
 */
export async function startJobs<Kinds extends Record<keyof Kinds, JobKind<never>>>(
	connection: pg.ClientConfig,
	kinds: Kinds,
	log: Log,
	{ supervise, tracer, end = () => process.exit(1) }: { supervise: boolean; tracer?: Tracer | undefined; end?: () => void },
): Promise<Jobs<Kinds> & { pool: pg.Pool }> {
	const application_name = "extrait-pro jobs";
	const { pool } = openDatabase({ application_name, max: supervise ? 4 : 1, ...timeouts.queue, ...connection }, log);
	const boss = createBoss(pool, { application_name, ...connection }, log, supervise);
	await boss.start();
	await updateQueues(boss, kinds, supervise);
	const heartbeat = supervise ? await startHeartbeat(pool, log, end) : undefined;
	/** The workers of this process, by queue. */
	const workerIds = new Map<string, string[]>();
	let waking: Promise<void> | undefined;
	const polling = setInterval(() => {
		waking ??= wakeDueWorkers(pool, boss, workerIds).finally(() => {
			waking = undefined;
		});
	}, pollingIntervalMs);
	return {
		pool,
		async send(trx, name, data, startAfter) {
			const kind: JobKind<never> = kinds[name];
			const { request, order, span } = currentContext();
			const from = { ...(request && { request }), ...(order && { order }), ...(span && { traceparent: span.traceparent }) };
			await boss.send(
				name,
				{ ...data, ...(Object.keys(from).length > 0 && { from }) },
				{
					db: inTransaction(trx),
					singletonKey: getJobKey(kind, data),
					...(startAfter && { startAfter }),
					...(kind.lowPriority && { priority: lowPriorityValue }),
				},
			);
		},
		async complete(trx, name) {
			const { job, jobId } = currentContext();
			// without the attempt that pg-boss compares otherwise: what is committed needs no other attempt
			if (job === name && jobId !== undefined) await boss.complete(name, jobId, undefined, { db: inTransaction(trx) });
		},
		async work(name, handler) {
			const { key, concurrency = key ? 4 : 1, cron }: JobKind<never> = kinds[name];
			const runJob = createRunner(name, handler, log, tracer);
			async function startWorker(batchSize: number): Promise<string> {
				const options = {
					batchSize,
					perJobResults: true,
					// while notifications come, a worker polls by itself only every 30 s: see wakeDueWorkers
					pollingIntervalSeconds: 0.5,
					heartbeatRefreshSeconds: 3,
				} as const;
				const id = await boss.work(name, options, async (jobs: Job<object>[]) => {
					const results = await Promise.all(jobs.map(runJob));
					// after a full batch more jobs may wait; pg-boss's burstWhenBatchFull would ignore batches of one
					if (jobs.length === batchSize) boss.notifyWorker(id);
					return results;
				});
				return id;
			}
			// a worker fetches again only when its whole batch has ended, so that half of the jobs do not wait for a slow one
			const batchSizes = [Math.ceil(concurrency / 2), Math.floor(concurrency / 2)].filter((size) => size > 0);
			workerIds.set(name, await Promise.all(batchSizes.map(startWorker)));
			if (cron) await boss.schedule(name, cron, {}, { tz: "Europe/Paris", singletonKey: getJobKey(kinds[name], {}), missed: "once" });
		},
		async stop(timeoutMs) {
			clearInterval(polling);
			await waking;
			await heartbeat?.stop();
			await boss.stop({ timeout: timeoutMs });
			// a second stop must not close the pool again
			if (!pool.ending) await pool.end();
		},
	};
}

/**
 * Wakes the workers whose queue has a due job. New jobs are notified; those that start later or again are not, and one question for all
 * queues costs less than one for each worker.
 */
async function wakeDueWorkers(pool: pg.Pool, boss: PgBoss, workerIds: ReadonlyMap<string, readonly string[]>): Promise<void> {
	if (workerIds.size === 0) return;
	try {
		const { rows } = await pool.query<{ name: string }>(
			`select name from unnest($1::text[]) as queue (name) where exists (
				select from jobs.job where job.name = queue.name and state < 'active' and not blocked and start_after <= now())`,
			[[...workerIds.keys()]],
		);
		for (const { name } of rows) for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id);
	} catch (error) {
		boss.emit("error", toError(error));
	}
}

/** Creates the pg-boss instance of the queue. It logs errors at most every ten seconds. */
function createBoss(pool: pg.Pool, connection: pg.ClientConfig, log: Log, supervise: boolean): PgBoss {
	const boss = new PgBoss({
		db: {
			executeSql: (text, values) => pool.query(text, values),
			async listen(channel, onNotification, onListening) {
				const onLost = (reason: string) => log.warn({ reason }, "the job queue lost its connection");
				const { stop } = listen(connection, channel, { onNotification, onListening, onLost });
				return { close: stop };
			},
		},
		schema: "jobs",
		useListenNotify: supervise,
		supervise,
		schedule: supervise,
		// the jobs of a killed process wait for its heartbeat (ten seconds) and at most this long
		superviseIntervalSeconds: 3,
		monitorIntervalSeconds: 3,
		cronMonitorIntervalSeconds: 5,
		cronWorkerIntervalSeconds: 3,
	});
	let reportedAt = 0;
	boss.on("error", (error) => {
		// each worker polls and reports an unavailable database each time
		if (Date.now() - reportedAt < errorLogIntervalMs) return;
		reportedAt = Date.now();
		log.error({ error: error.message }, "the job queue reported an error");
	});
	return boss;
}

/** Creates the function that runs one job: in the context and trace of its sender, without throwing. */
function createRunner(name: string, handler: (data: never, signal: AbortSignal) => Promise<unknown>, log: Log, tracer: Tracer | undefined) {
	const repeat = createRepeats();
	const writeError = (fields: object, message: string) => log.error(fields, message);
	const attempt = async (job: Pick<Job, "id" | "signal">, data: object, span: Span | undefined): Promise<JobResult> => {
		try {
			await handler(data as never, job.signal).finally(() => span?.set({ "shop.order.id": currentContext().order ?? "" }));
			span?.end();
			return { id: job.id, status: "completed" };
		} catch (error) {
			span?.end(error);
			const fields = { job: name, id: job.id, error: describeFault(error) };
			repeat(getFaultKind(error), writeError, fields, "a job failed and will be tried again");
			// stores only the error's name: its text may quote personal data
			return { id: job.id, status: "failed", output: { fault: error instanceof Error ? error.name : "unknown" } };
		}
	};
	return ({ data: sent, ...job }: Job<SentData & { orderId?: string }>): Promise<JobResult> => {
		const { from: { traceparent, ...cause } = {}, ...data } = sent;
		const order = data.orderId ?? cause.order;
		const attributes = { "messaging.system": "pg-boss", "messaging.destination.name": name, "shop.job.id": job.id };
		const span = tracer?.start(`job ${name}`, "consumer", attributes, traceparent);
		const context = { ...cause, ...(order && { order }), job: name, jobId: job.id, ...(span && { span }) };
		return inContext(context, () => attempt(job, data, span));
	};
}

/** Lets the queue write inside a transaction, with prepared statements: planning them takes longer than running them. */
const inTransaction = (trx: Trx): Db => ({
	async executeSql(text, values = []) {
		const { rows } = await trx.executeQuery(preparedQuery(text, values));
		return { rows };
	},
});

/** Creates or updates the queue of each kind. A process that only sends creates missing queues and changes nothing else. */
async function updateQueues(boss: PgBoss, kinds: Record<string, JobKind<never>>, supervise: boolean): Promise<void> {
	const queuesByName = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
	for (const [kindName, kind] of Object.entries(kinds)) {
		const options = {
			notify: true,
			retryLimit: kind.retryLimit,
			retryDelay: 1,
			retryBackoff: true,
			retryDelayMax: 120,
			// scheduled jobs go through many rows
			expireInSeconds: kind.cron ? hourSeconds : 120,
			// after this, the job of a killed worker starts elsewhere
			heartbeatSeconds: 10,
			deleteAfterSeconds: daySeconds,
		} satisfies Omit<Queue, "name">;
		const existing = queuesByName.get(kindName);
		const changed = typedEntries(options).some(([name, value]) => existing?.[name] !== value);
		if (!existing) await boss.createQueue(kindName, { ...options, policy: "exclusive" });
		else if (supervise && changed) await boss.updateQueue(kindName, options);
	}
	if (!supervise) return;
	for (const { name, key } of await boss.getSchedules()) {
		if (!kinds[name]?.cron) await boss.unschedule(name, key);
	}
}

/** Processes that do jobs. A stamp in the future is of before the clock was set back, and says nothing. */
const countLiveProcesses = sql<number>`(select count(*)::integer from job_processes
	where seen_at > now() - interval '30 seconds' and seen_at < now() + interval '1 minute')`;

/** Seconds since pg-boss last looked at the schedules, as it does every five seconds. */
const scheduleAge = sql<number | null>`(select extract(epoch from now() - cron_on)::float8 from jobs.version)`;

/** Whether scheduled jobs are sent. @param age seconds, as of readJobProcesses: negative after the clock was set back. */
export const isScheduleRead = (age: number | null): boolean => age === null || (age <= maxScheduleAge && age >= -60);

/**
 * How many processes do jobs, and the seconds since the schedules were last looked at: negative after the clock was set back, null before
 * the first time.
 */
export async function readJobProcesses(db: Database | Trx): Promise<{ processes: number; scheduleAge: number | null }> {
	const { rows } = await sql<{ processes: number; scheduleAge: number | null }>`
		select ${countLiveProcesses} as processes, ${scheduleAge} as "scheduleAge"`.execute(db);
	return rows[0] ?? { processes: 0, scheduleAge: null };
}

/** Whether a process does jobs and sends the scheduled ones. */
export async function areJobsRunning(db: Database | Trx): Promise<boolean> {
	const { processes, scheduleAge } = await readJobProcesses(db);
	return processes > 0 && isScheduleRead(scheduleAge);
}

/** Whether jobs are running, and no due job has waited for more than ten minutes; low-priority jobs do not count. */
export async function areJobsProcessed(db: Database): Promise<boolean> {
	const { rows } = await sql<{ late: boolean }>`
		select exists (select from jobs.job where state < 'active' and not blocked and start_after < now() - make_interval(mins => ${maxWaitMinutes})
			and priority > ${lowPriorityValue}) as late
	`.execute(db);
	return rows[0]?.late === false && (await areJobsRunning(db));
}

/** How many jobs are due, and the minutes that the oldest has waited; null without one. Low-priority jobs do not count. */
export async function readDueJobs(db: Database | Trx): Promise<{ due: number; minutes: number | null }> {
	const { rows } = await sql<{ due: number; minutes: number | null }>`
		select count(*)::integer as due, floor(extract(epoch from now() - min(start_after)) / 60)::integer as minutes from jobs.job
		where state < 'active' and not blocked and priority > ${lowPriorityValue} and start_after < now()`.execute(db);
	return rows[0] ?? { due: 0, minutes: null };
}

/** Returns the queue's figures by kind: due jobs, seconds that the oldest has waited, failed jobs. */
export async function getQueueFigures(trx: Trx): Promise<{ job: string; waiting: number; lag: number; failed: number }[]> {
	const { rows } = await sql<{ job: string; waiting: number; lag: number; failed: number }>`
		select queue.name as job, coalesce(waiting, 0)::integer as waiting, coalesce(lag, 0)::float8 as lag, coalesce(failed, 0)::integer as failed
		from jobs.queue left join (
			select name, count(*) filter (where state < 'active' and start_after <= now()) as waiting,
				extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())) as lag,
				count(*) filter (where state = 'failed') as failed
			from jobs.job where (state < 'active' and not blocked) or state = 'failed' group by name
		) as job on job.name = queue.name
		where queue.name not like '\\_\\_%'
	`.execute(trx);
	return rows;
}
