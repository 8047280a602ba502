import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { RefusalKind } from "../../server/observability/metrics.ts";
import { currentContext, inContext, requestId } from "../../server/observability/request-context.ts";
import type { Span } from "../../server/observability/tracing.ts";
import type { Shop } from "../shop.ts";

/** Gives each request an id and, with a collector, a span. */
export function identifyRequests(
	{ environment: { trustedProxies }, tracer }: Pick<Shop, "environment" | "tracer">,
	getRoute: (c: Context) => string,
): MiddlewareHandler {
	/** Starts the span of a request, which may continue a proxy's trace. Health checks have none. */
	const startSpan = (c: Context, request: string): Span | undefined => {
		if (tracer === undefined || isProbe(c.req.path, 200)) return undefined;
		const { method } = c.req;
		const route = getRoute(c);
		const attributes = { "http.request.method": method, "http.route": route, "shop.request.id": request };
		return tracer.start(`${method} ${route}`, "server", attributes, trustedProxies > 0 ? c.req.header("traceparent") : undefined);
	};
	return (c, next) => {
		const request = requestId(c.req.header("x-request-id"), trustedProxies);
		const span = startSpan(c, request);
		return inContext({ request, ...(span && { span }) }, () => next());
	};
}

/** Logs, measures and traces the response to each request. */
export function recordRequests({ log, metrics }: Pick<Shop, "log" | "metrics">, getRoute: (c: Context) => string): MiddlewareHandler {
	return async (c, next) => {
		const startedAt = performance.now();
		const { signal } = c.req.raw;
		await next();
		const { order, span } = currentContext();
		// a client that left early is no failure of the shop (nginx's status)
		const status = signal.aborted || hasLeft(c) ? 499 : c.res.status;
		const { method, path } = c.req;
		const route = getRoute(c);
		const security = findSecurityEvent(route, status);
		if (security) metrics.countRefusal(security.kind);
		metrics.observeRequest({ method, route, status, seconds: (performance.now() - startedAt) / 1000 });
		span?.set({ "http.response.status_code": status, ...(order && { "shop.order.id": order }) });
		span?.end(status >= 500 ? String(status) : undefined);
		if (isProbe(path, status)) return;
		// a process that drains says 503 to its proxy
		const isDrain = path === "/healthz" && status === 503;
		const level = status >= 500 && !isDrain ? "error" : security ? "warn" : "info";
		if (!log.isLevelEnabled(level)) return;
		log[level]({ ...security, method, route, status, ms: Math.round(performance.now() - startedAt) }, "request");
	};
}

/**
 * Whether the client left before the response. A request that breaks off in its body fails before its signal is aborted
 * (nodejs.org/api/http.html#event-close_1).
 */
function hasLeft({ env }: Context): boolean {
	const { incoming, outgoing }: Partial<HttpBindings> = env ?? {};
	return incoming?.errored != null || (outgoing?.destroyed === true && !outgoing.writableFinished);
}

/** Successful health checks are not logged: they would be a third of the log. */
const isProbe = (path: string, status: number) => path === "/metrics" || (status === 200 && (path === "/healthz" || path === "/readyz"));

const kindsByStatus: Record<number, RefusalKind | undefined> = { 403: "refused", 429: "limited" };

/**
 * Returns the log fields of a request refused for security (OWASP ASVS 5.0, 16.3); null for other requests.
 * @param route its pattern.
 */
export function findSecurityEvent(route: string, status: number): { event: "security"; kind: RefusalKind } | null {
	// the webhook answers 400 only to a wrong signature
	const kind = route === "/api/stripe/webhook" && status === 400 ? "signature" : kindsByStatus[status];
	return kind === undefined ? null : { event: "security", kind };
}
