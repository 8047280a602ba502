import type pg from "pg";
import { listenForChanges, publicPages } from "./database/changes.ts";
import { openDatabase, timeouts as usualTimeouts } from "./database/database.ts";
import { openReadDatabase } from "./database/read-database.ts";
import type { Environment } from "./environment/environment.ts";
import { type JobKind, startJobs } from "./jobs.ts";
import { createLog, type Log } from "./observability/log.ts";
import { createMetrics } from "./observability/metrics.ts";
import { createTracer } from "./observability/tracing.ts";
import { rateLimits } from "./rate-limits.ts";
import type { Runtime } from "./runtime.ts";
import { createSigner } from "./signing.ts";
import { streamPlaces } from "./stream-places.ts";

export interface RuntimeHandle {
	runtime: Runtime;
	/** Says that this process is about to stop: its health check fails, and everything is still served. */
	drain(): void;
	/** Ends live streams, waits until running requests are `answered`, then gives running jobs `timeoutMs`, then closes the connections. */
	close(timeoutMs: number, answered?: Promise<void>): Promise<void>;
}

/**
 * Opens everything that verbs lean on, on a database that is up to date.
 * @param supervise true in a process that does jobs.
 * @param timeouts milliseconds that one statement may take; those of a job when absent.
 */
export async function createRuntime(
	environment: Environment,
	connection: pg.ClientConfig,
	jobKinds: readonly JobKind<object>[],
	{
		supervise,
		timeouts = usualTimeouts.job,
		now = () => new Date(),
		log = createLog(environment.logLevel),
	}: { supervise: boolean; timeouts?: typeof usualTimeouts.job; now?: () => Date; log?: Log },
): Promise<RuntimeHandle> {
	const { db, pool } = openDatabase({ ...timeouts, ...connection }, log);
	const reads = environment.databaseReadUrl ? openReadDatabase(pool, { connectionString: environment.databaseReadUrl }, log) : undefined;
	const { tracesEndpoint } = environment;
	const tracer = tracesEndpoint ? await createTracer(tracesEndpoint, supervise ? "extrait-pro jobs" : "extrait-pro web", log) : undefined;
	const jobs = await startJobs(connection, jobKinds, log, { supervise, tracer });
	const changes = listenForChanges(connection, log);
	// before the caches of pages, which subscribe later: what they make anew must not come from a replica that is behind
	if (reads) changes.subscribe(publicPages, reads.distrust);
	const draining = new AbortController();
	const closing = new AbortController();
	const streams = streamPlaces();
	const { metricsToken, metricsPort } = environment;
	const metrics = createMetrics({ ofProcess: metricsToken !== undefined || metricsPort !== undefined });
	metrics.watchLiveStreams(streams.count);
	for (const [name, watched] of Object.entries({ main: pool, queue: jobs.pool, reads: reads?.pool })) {
		if (watched) metrics.watchPool(name, watched);
	}
	return {
		runtime: {
			environment,
			db,
			readDb: reads?.db ?? db,
			replica: reads?.replica,
			jobs,
			changes,
			log,
			metrics,
			tracer,
			signer: createSigner(environment.secrets),
			limits: rateLimits(pool),
			now,
			streams,
			draining: draining.signal,
			closing: closing.signal,
		},
		drain: () => draining.abort(),
		async close(timeoutMs, answered) {
			closing.abort();
			await answered;
			await jobs.stop(timeoutMs);
			await changes.stop();
			await reads?.close();
			await tracer?.close();
			await db.destroy();
		},
	};
}
