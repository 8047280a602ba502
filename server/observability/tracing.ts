import type { Attributes, Span as OtelSpan, SpanKind as OtelSpanKind } from "@opentelemetry/api";
import type { Log } from "./log.ts";

/** One piece of work in a trace: a request, a job, a statement, a call of a partner. */
export interface Span {
	/** For the log. */
	readonly traceId: string;
	/** W3C Trace Context, which other processes use to continue the trace. */
	readonly traceparent: string;
	child(name: string, kind: "client", attributes: Attributes): Span;
	set(attributes: Attributes): void;
	/** @param fault the error; only its name is recorded, since its text may quote personal data. */
	end(fault?: unknown): void;
}

export interface Tracer {
	/** Starts the span of a request or a job. @param traceparent of its cause; a malformed one is ignored. */
	start(name: string, kind: "server" | "consumer", attributes: Attributes, traceparent?: string): Span;
	/** Sends the remaining spans within two seconds. */
	close(): Promise<void>;
}

/** version-trace-parent-flags (w3.org/TR/trace-context, 3.2). */
const traceparentPattern = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Milliseconds between two warnings that traces cannot be sent. */
const warningIntervalMs = 600_000;

/** Milliseconds that a stopping process waits for the collector. */
const maxFlushMs = 2000;

/**
 * Connects to a collector (OTLP over HTTP, JSON). The packages are imported here, so that a shop without a collector never loads them.
 * While the collector is unavailable, spans are lost and the log warns.
 * @param endpoint without `/v1/traces`. @param service the name of the process.
 */
export async function createTracer(endpoint: string, service: string, log: Log): Promise<Tracer> {
	const [api, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
		import("@opentelemetry/api"),
		import("@opentelemetry/sdk-trace"),
		import("@opentelemetry/resources"),
		import("@opentelemetry/exporter-trace-otlp-http"),
	]);
	let reportedAt = Number.NEGATIVE_INFINITY;
	const report = () => {
		if (performance.now() - reportedAt < warningIntervalMs) return;
		reportedAt = performance.now();
		log.warn("traces could not be sent to the collector");
	};
	const ignore = () => {};
	api.diag.setLogger(
		{ error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
		{ logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
	);
	const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: 5000 });
	const provider = new sdk.TracerProvider({
		resource: resourceFromAttributes({ "service.name": service }),
		spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 2000 })],
	});
	const tracer = provider.getTracer("extrait-pro");
	const kinds: Record<"server" | "consumer" | "client", OtelSpanKind> = {
		server: api.SpanKind.SERVER,
		consumer: api.SpanKind.CONSUMER,
		client: api.SpanKind.CLIENT,
	};

	const toSpan = (span: OtelSpan): Span => {
		const { traceId, spanId, traceFlags } = span.spanContext();
		return {
			traceId,
			traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
			child: (name, kind, attributes) =>
				toSpan(tracer.startSpan(name, { kind: kinds[kind], attributes }, api.trace.setSpan(api.ROOT_CONTEXT, span))),
			set: (attributes) => void span.setAttributes(attributes),
			end(fault) {
				if (fault !== undefined) {
					span.setStatus({ code: api.SpanStatusCode.ERROR });
					span.setAttribute("error.type", fault instanceof Error ? fault.name : String(fault));
				}
				span.end();
			},
		};
	};
	return {
		start(name, kind, attributes, traceparent = "") {
			const [, traceId, spanId, flags] = traceparentPattern.exec(traceparent) ?? [];
			const parent =
				traceId && spanId && flags
					? api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
					: api.ROOT_CONTEXT;
			return toSpan(tracer.startSpan(name, { kind: kinds[kind], attributes }, parent));
		},
		async close() {
			let timer: NodeJS.Timeout | undefined;
			const timedOut = new Promise<void>((done) => {
				timer = setTimeout(done, maxFlushMs);
			});
			await Promise.race([provider.shutdown().catch(report), timedOut]);
			clearTimeout(timer);
		},
	};
}
