import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHttpServer } from "./http-server.ts";

let server: Server;
const port = () => (server.address() as AddressInfo).port;

beforeAll(async () => {
	server = await startHttpServer({ host: "127.0.0.1", port: 0 }, (request) => new Response(new URL(request.url).pathname));
});
afterAll(() => server.close());

/** Sends bytes over a new connection. @returns the status line of the response. */
async function fetchStatusLine(request: string): Promise<string | undefined> {
	const socket = connect(port(), "127.0.0.1");
	await once(socket, "connect");
	socket.write(request);
	return (await text(socket)).split("\r\n")[0];
}

test.each([
	["GET /healthz HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK"],
	["GET /healthz HTTP/1.0\r\nHost: www.example.fr\r\n\r\n", "HTTP/1.1 200 OK"],
	["GET / HTTP/1.0\r\n\r\n", "HTTP/1.1 400 Bad Request"],
	["GET /healthz?a HTTP/1.0\r\n\r\n", "HTTP/1.1 400 Bad Request"],
	["GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", "HTTP/1.1 400 Bad Request"],
])("only a health check in HTTP/1.0 may lack a Host: %j", async (request, status) => {
	expect(await fetchStatusLine(request)).toBe(status);
});

test("the error for a taken port names the port and what to change", async () => {
	const second = startHttpServer({ host: "127.0.0.1", port: port() }, () => new Response());
	await expect(second).rejects.toThrow(`Port ${port()} on 127.0.0.1 is taken by another program. Stop it, or set PORT to a free one.`);
});

test.each(["deploy/Caddyfile", "compose.yaml"])("the shop keeps idle connections longer than the proxy in %s", (file) => {
	const keepalive = /^\s*keepalive (\d+)s$/m.exec(readFileSync(file, "utf8"))?.[1];
	expect(server.keepAliveTimeout).toBeGreaterThan(Number(keepalive) * 1000);
});
