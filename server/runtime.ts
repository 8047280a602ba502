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
import type { StreamPlaces } from "./stream-places.ts";

/** What every use case may need. */
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

/** All that a running process has. */
export interface Runtime extends Context {
	/** For searches and company pages, whose answers may be a minute old; no transactions. Without a replica it is `db`. */
	readDb: Database;
	/** Undefined: DATABASE_READ_URL is not set. */
	replica: Replica | undefined;
	changes: Changes;
	metrics: Metrics;
	/** Undefined: OTEL_EXPORTER_OTLP_ENDPOINT is not set, and no traces are made. */
	tracer: Tracer | undefined;
	/** Places for live streams, of each client. */
	streams: StreamPlaces;
	/** Aborted once this process is about to stop, while it still serves. */
	draining: AbortSignal;
	/** Ends what would otherwise keep a stopping process waiting, such as live streams. */
	closing: AbortSignal;
}
