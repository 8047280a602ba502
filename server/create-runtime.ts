import type pg from "pg";
import { listenForChanges, publicPagesSubject } from "./database/changes.ts";
import { timeouts as defaultTimeouts, openDatabase } from "./database/database.ts";
import { openReadDatabase } from "./database/read-database.ts";
import type { Environment } from "./environment/environment.ts";
import { type JobKinds, startJobs } from "./jobs.ts";
import { createLog, type Log } from "./observability/log.ts";
import { createMetrics } from "./observability/metrics.ts";
import { createTracer } from "./observability/tracing.ts";
import { rateLimits } from "./rate-limits.ts";
import type { Runtime } from "./runtime.ts";
import { createSigner } from "./signing.ts";
import { createStreamSlots } from "./stream-slots.ts";

export interface RuntimeHandle {
	runtime: Runtime;
	/** Makes the health check fail before a stop, while the process still serves requests. */
	drain(): void;
	/** Ends live streams, waits for running requests, gives running jobs `timeoutMs`, then closes the connections. */
	close(timeoutMs: number, requestsFinished?: Promise<void>): Promise<void>;
}

/**
 * Creates what use cases need, on a database whose schema is up to date.
 * @param supervise true in a process that does jobs.
 * @param timeouts milliseconds for one statement; the default is that of jobs.
 */
export async function createRuntime(
	environment: Environment,
	connection: pg.ClientConfig,
	jobKinds: JobKinds,
	{
		supervise,
		timeouts = defaultTimeouts.job,
		now = () => new Date(),
		log = createLog(environment.logLevel),
	}: { supervise: boolean; timeouts?: typeof defaultTimeouts.job; now?: () => Date; log?: Log },
): Promise<RuntimeHandle> {
	const { db, pool } = openDatabase({ ...timeouts, ...connection }, log);
	const readDatabase = environment.databaseReadUrl
		? openReadDatabase(pool, { connectionString: environment.databaseReadUrl }, log)
		: undefined;
	const { tracesEndpoint } = environment;
	const tracer = tracesEndpoint ? await createTracer(tracesEndpoint, supervise ? "extrait-pro jobs" : "extrait-pro web", log) : undefined;
	const jobs = await startJobs(connection, jobKinds, log, { supervise, tracer });
	const changes = listenForChanges(connection, log);
	// subscribes before the page caches, so that they never refill from a replica that is behind
	if (readDatabase) changes.subscribe(publicPagesSubject, readDatabase.invalidate);
	const signer = createSigner(environment.secrets);
	const draining = new AbortController();
	const closing = new AbortController();
	const streams = createStreamSlots();
	const { metricsToken, metricsPort } = environment;
	const metrics = createMetrics({ withProcessMetrics: metricsToken !== undefined || metricsPort !== undefined });
	metrics.watchLiveStreams(streams.count);
	for (const [name, watchedPool] of Object.entries({ main: pool, queue: jobs.pool, reads: readDatabase?.pool })) {
		if (watchedPool) metrics.watchPool(name, watchedPool);
	}
	return {
		runtime: {
			connection,
			environment,
			db,
			readDb: readDatabase?.db ?? db,
			replica: readDatabase?.replica,
			jobs,
			changes,
			log,
			metrics,
			tracer,
			signer,
			limits: rateLimits(pool, signer),
			now,
			streams,
			draining: draining.signal,
			closing: closing.signal,
		},
		drain: () => draining.abort(),
		async close(timeoutMs, requestsFinished) {
			closing.abort();
			await requestsFinished;
			await jobs.stop(timeoutMs);
			await changes.stop();
			await readDatabase?.close();
			await tracer?.close();
			await db.destroy();
		},
	};
}
