import type pg from "pg";
import type { Changes } from "./database/changes.ts";
import type { Database } from "./database/database.ts";
import type { Replica } from "./database/read-database.ts";
import type { Environment } from "./environment/environment.ts";
import type { Jobs } from "./jobs.ts";
import type { Log } from "./observability/log.ts";
import type { Metrics } from "./observability/metrics.ts";
import type { Tracer } from "./observability/tracing.ts";
import type { CreateRateLimit } from "./rate-limits.ts";
import type { Signer } from "./signing.ts";
import type { StreamSlots } from "./stream-slots.ts";

/** The dependencies of a use case. */
export interface Context {
	environment: Environment;
	db: Database;
	jobs: Jobs;
	log: Log;
	signer: Signer;
	limits: CreateRateLimit;
	/** The clock is passed in, so that tests can set it. */
	now: () => Date;
}

/** The dependencies of a running process. */
export interface Runtime extends Context {
	/** For work that needs a separate connection, such as an import. */
	connection: pg.ClientConfig;
	/** For searches and company pages: rows may be a minute old, and there are no transactions. Without a replica it is `db`. */
	readDb: Database;
	/** Undefined: DATABASE_READ_URL is not set. */
	replica: Replica | undefined;
	changes: Changes;
	metrics: Metrics;
	/** Undefined: OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
	tracer: Tracer | undefined;
	/** Limits the live streams of each client. */
	streams: StreamSlots;
	/** Aborted before this process stops, while it still serves. */
	draining: AbortSignal;
	/** Aborted when this process stops, to end long requests such as live streams. */
	closing: AbortSignal;
}
