import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Environment } from "./environment/environment.ts";

export type RequestHandler = (request: Request, env: unknown) => Response | Promise<Response>;

/**
 * Milliseconds in which a request must arrive with its body: as long as the largest upload may take. Each route allows less to its own
 * bodies (app/web/body-limits.ts); this also ends a body that nobody reads.
 */
export const requestTimeout = 600_000;

/** Milliseconds in which the headers of a request must arrive. */
const headersTimeout = 60_000;

/** Milliseconds. Longer than `keepalive` in deploy/Caddyfile, so that the proxy never reuses a connection that we close. */
const keepAliveTimeout = 75_000;

/**
 * Listens for HTTP on the shop's host and port.
 * @throws an Error whose message tells the operator what to change, when the port cannot be opened.
 */
export function startHttpServer({ host, port }: Pick<Environment, "host" | "port">, handler: RequestHandler): Promise<Server> {
	const listener = getRequestListener(handler);
	const server = createServer({ keepAliveTimeout, headersTimeout, requestTimeout }, (request, response) => {
		// health checks in HTTP/1.0 have no Host (HAProxy, option httpchk), which the request listener requires
		if (request.url === "/healthz") request.headers.host ??= "localhost";
		return listener(request, response);
	});
	return new Promise((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			reject(
				new Error(
					error.code === "EADDRINUSE"
						? `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to a free one.`
						: `The shop cannot listen on ${host}:${port}: ${error.message}`,
				),
			);
		});
		server.listen(port, host, () => resolve(server));
	});
}
