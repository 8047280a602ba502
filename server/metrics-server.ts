import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Environment } from "./environment/environment.ts";
import { describeFault, type Log } from "./observability/log.ts";
import { type Metrics, mayReadMetrics } from "./observability/metrics.ts";
import { getErrorCode } from "./types/errors.ts";

/**
 * Opens GET /metrics on a separate port, for a process without a web server or with a private one. It requires METRICS_TOKEN, which
 * only a port on loopback may lack (server/environment/environment.ts), and does not keep the process alive.
 * @returns undefined without METRICS_PORT, or when the port cannot be opened: that is logged, and the shop starts all the same.
 */
export async function startMetricsServer(
	{ metricsHost: host, metricsPort: port, metricsToken }: Pick<Environment, "metricsHost" | "metricsPort" | "metricsToken">,
	metrics: Metrics,
	log: Pick<Log, "error">,
): Promise<Server | undefined> {
	if (port === undefined) return undefined;
	const server = createServer(async ({ method, url, headers }, response) => {
		if (method !== "GET" || url !== "/metrics") return response.writeHead(404).end();
		if (metricsToken !== undefined && !mayReadMetrics(metricsToken, headers.authorization)) {
			metrics.countRefusal("metrics");
			return response.writeHead(401, { "www-authenticate": "Bearer" }).end();
		}
		try {
			const { text, contentType } = await metrics.write();
			response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
		} catch (error) {
			log.error({ error: describeFault(error) }, "the metrics could not be written");
			response.writeHead(500).end();
		}
	});
	server.requestTimeout = 10_000;
	try {
		server.listen(port, host);
		await once(server, "listening");
	} catch (error) {
		const code = getErrorCode(error);
		log.error({ host, port, code }, "METRICS_PORT cannot be used: nobody can read the metrics of this process there");
		return undefined;
	}
	return server.unref();
}
