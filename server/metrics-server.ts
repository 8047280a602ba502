import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Environment } from "./environment/environment.ts";
import { describeFault, type Log } from "./observability/log.ts";
import { type Metrics, mayReadMetrics } from "./observability/metrics.ts";
import { getErrorCode } from "./types/errors.ts";

/**
 * Opens GET /metrics on METRICS_PORT of METRICS_HOST, for a process that listens nowhere else, or not to the collector. Asks for METRICS_TOKEN
 * where it is set; it is only on this machine that it need not be (server/environment/environment.ts). It keeps no process alive.
 * @returns undefined where no port is asked for, and where it cannot be had: a line in the log says so, as a shop is worth more than its metrics.
 */
export async function startMetricsServer(
	{ metricsHost: host, metricsPort: port, metricsToken }: Pick<Environment, "metricsHost" | "metricsPort" | "metricsToken">,
	metrics: Metrics,
	log: Pick<Log, "error">,
): Promise<Server | undefined> {
	if (port === undefined) return undefined;
	const server = createServer(async ({ method, url, headers }, answer) => {
		if (method !== "GET" || url !== "/metrics") return answer.writeHead(404).end();
		if (metricsToken !== undefined && !mayReadMetrics(metricsToken, headers.authorization)) {
			metrics.countRefusal("metrics");
			return answer.writeHead(401, { "www-authenticate": "Bearer" }).end();
		}
		try {
			const { text, contentType } = await metrics.write();
			answer.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
		} catch (error) {
			log.error({ error: describeFault(error) }, "the metrics could not be written");
			answer.writeHead(500).end();
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
