import { createServer, type Server } from "node:http";
import type { Environment } from "./environment.ts";
import { type Metrics, mayReadMetrics } from "./metrics.ts";

/**
 * Opens GET /metrics on METRICS_PORT of HOST, for a process that listens nowhere else, or not to the collector. Asks for METRICS_TOKEN
 * where it is set; it is only on this machine that it need not be (server/environment.ts). It keeps no process alive.
 * @throws when the port is taken.
 */
export async function startMetricsServer(
	{ host, metricsPort, metricsToken }: Pick<Environment, "host" | "metricsPort" | "metricsToken">,
	metrics: Metrics,
): Promise<Server | undefined> {
	if (metricsPort === undefined) return undefined;
	const server = createServer(async ({ method, url, headers }, answer) => {
		if (method !== "GET" || url !== "/metrics") return answer.writeHead(404).end();
		if (metricsToken !== undefined && !mayReadMetrics(metricsToken, headers.authorization)) {
			metrics.countRefusal("metrics");
			return answer.writeHead(401, { "www-authenticate": "Bearer" }).end();
		}
		const { text, contentType } = await metrics.write();
		answer.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
	});
	server.requestTimeout = 10_000;
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once("error", reject);
	server.listen(metricsPort, host, resolve);
	await promise;
	return server.unref();
}
