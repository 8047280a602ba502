import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Environment } from "./environment/environment.ts";

export type RequestHandler = (request: Request, env: unknown) => Response | Promise<Response>;

/** Milliseconds: longer than a proxy keeps an idle connection (`keepalive` in deploy/Caddyfile), so that none is closed under its next request. */
const keepAliveTimeout = 75_000;

/**
 * Listens for HTTP on the shop's host and port.
 * @throws an Error whose message tells the operator what to change, when the port cannot be had.
 */
export function startHttpServer({ host, port }: Pick<Environment, "host" | "port">, answer: RequestHandler): Promise<Server> {
	const listener = getRequestListener(answer);
	const server = createServer({ keepAliveTimeout }, (request, response) => {
		// health checks in HTTP/1.0 have no Host (HAProxy, option httpchk), without which no other request is understood
		if (request.url === "/healthz") request.headers.host ??= "localhost";
		return listener(request, response);
	});
	return new Promise((ready, fail) => {
		server.once("error", (error: NodeJS.ErrnoException) => {
			fail(
				new Error(
					error.code === "EADDRINUSE"
						? `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to a free one.`
						: `The shop cannot listen on ${host}:${port}: ${error.message}`,
				),
			);
		});
		server.listen(port, host, () => ready(server));
	});
}
