import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:https";
import type { TcpSocketConnectOpts } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { type ConnectionOptions, connect } from "node:tls";
import { type ProxyName, type RunningProxy, startProxy } from "./proxies.ts";
import { startEcho } from "./proxy-rules.ts";

/** What one client can take from the others: connections that it fills slowly, and requests without a pause. */

/** As many as one client opens, and as HAProxy accepts in this drill. */
const slowConnections = 200;

/** `sc0_conn_cur` of deploy/haproxy.cfg. */
const maxConnections = 64;

const honest = "127.0.0.2";

/**
 * Attacks the proxy as one client, while another asks for pages.
 * @returns each rule of the proxy's file, and whether it holds.
 */
export async function checkClientLimits(
	undo: AsyncDisposableStack,
	name: ProxyName,
	options: Omit<Parameters<typeof startProxy>[2], "webs">,
): Promise<[rule: string, holds: boolean][]> {
	const webs = [await startEcho(undo), await startEcho(undo)].map((port) => `127.0.0.1:${port}`);
	const isRoot = process.getuid?.() === 0;
	// HAProxy alone counts clients
	const proxy = await startProxy(undo, name, { ...options, webs, maxConnections: slowConnections, ipv6: isRoot });
	const rules: [string, boolean][] = [];

	const trickling = await openSlowly(undo, proxy, { from: "127.0.0.3", first: 1 });
	rules.push([`${slowConnections} connections of one client with slow bodies leave another client served`, await isServed(proxy)]);
	if (name === "haproxy") {
		rules.push([`one client has at most ${maxConnections} connections`, trickling.countOpen() === maxConnections]);
		await wait(12_000);
		rules.push(["a body that trickles is refused after ten seconds", trickling.countOpen() === 0 && trickling.statuses.has(408)]);
		// what the proxy cannot store reaches the shop, which has its own time limit; the count of connections still holds
		const large = await openSlowly(undo, proxy, { from: "127.0.0.4", first: 20_000 });
		rules.push([
			"so do slow bodies that are larger than the proxy's buffer",
			large.countOpen() <= maxConnections && (await isServed(proxy)),
		]);
		large.close();
		rules.push(["a slow upload passes for as long as it sends", await passesSlowly(proxy, "/bureau/commandes/KB-7F3K-92QD")]);
		rules.push(["a client that never pauses gets 429 with Retry-After", await isSlowedDown(proxy)]);
		if (isRoot) rules.push(["the addresses of one IPv6 /64 are one client, another /64 is another", await countsNetworks(undo, proxy)]);
	}
	trickling.close();
	await proxy.stop();
	return rules;
}

/**
 * Opens connections that each announce a body and send it byte by byte.
 * @param first the bytes that each sends at once.
 */
async function openSlowly(
	undo: AsyncDisposableStack,
	proxy: RunningProxy,
	{ from, host = "127.0.0.1", first, count = slowConnections }: { from: string; host?: string; first: number; count?: number },
) {
	const sockets = new Set<TLSSocket>();
	const statuses = new Set<number>();
	const open = () => {
		const where: ConnectionOptions & TcpSocketConnectOpts = { host, port: proxy.port, servername: "localhost", localAddress: from };
		const socket = connect(where);
		socket
			.on("error", () => {})
			.on("close", () => sockets.delete(socket))
			.on("data", (answer) => statuses.add(Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1])))
			.on("secureConnect", () => {
				sockets.add(socket);
				socket.write(`POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n${"x".repeat(first)}`);
			});
		return Promise.race([once(socket, "secureConnect"), once(socket, "close")]).catch(() => {});
	};
	const timer = setInterval(() => {
		for (const socket of sockets) socket.write("x");
	}, 1000);
	const close = () => {
		clearInterval(timer);
		for (const socket of sockets) socket.destroy();
	};
	undo.defer(close);
	await Promise.all(Array.from({ length: count }, open));
	return { statuses, close, countOpen: () => sockets.size };
}

/** Whether twenty requests on new connections of another client are answered, each within five seconds. */
async function isServed({ port }: RunningProxy): Promise<boolean> {
	for (let turn = 0; turn < 20; turn++) {
		const sent = request({
			host: "127.0.0.1",
			port,
			servername: "localhost",
			localAddress: honest,
			agent: false,
			path: "/",
			timeout: 5000,
		});
		sent.on("timeout", () => sent.destroy()).end();
		const [response] = await once(sent, "response").catch(() => [null]);
		response?.resume();
		if (response?.statusCode !== 200) return false;
	}
	return true;
}

/** Sends 20 kB, and then a little each second for longer than the proxy waits for the beginning of a body. */
async function passesSlowly({ port }: RunningProxy, path: string): Promise<boolean> {
	const body = "x".repeat(20_000 + 13 * 1000);
	const headers = { host: "localhost", "content-length": body.length };
	const where = { host: "127.0.0.1", port, servername: "localhost", localAddress: honest, agent: false as const };
	const sent = request({ ...where, path, method: "POST", headers });
	const answered = once(sent, "response").catch(() => [null]);
	sent.write(body.slice(0, 20_000));
	for (let second = 0; second < 13; second++) {
		await wait(1000);
		sent.write("x".repeat(1000));
	}
	sent.end();
	const [response] = await answered;
	response?.resume();
	return response?.statusCode === 200;
}

async function isSlowedDown(proxy: RunningProxy): Promise<boolean> {
	const agent = new Agent({ keepAlive: true, maxSockets: 20 });
	const answers = await Promise.all(
		Array.from({ length: 2200 }, async () => {
			const sent = request({ host: "127.0.0.1", port: proxy.port, servername: "localhost", localAddress: "127.0.0.5", agent, path: "/" });
			sent.end();
			const [response] = await once(sent, "response");
			response.resume();
			return { status: response.statusCode as number, retryAfter: response.headers["retry-after"] };
		}),
	);
	agent.destroy();
	const refused = answers.filter(({ status }) => status === 429);
	const served = answers.filter(({ status }) => status === 200);
	return served.length >= 1900 && refused.length > 0 && refused.every(({ retryAfter }) => retryAfter === "10") && (await isServed(proxy));
}

/** Adds addresses to the loopback interface for a moment. */
async function countsNetworks(undo: AsyncDisposableStack, proxy: RunningProxy): Promise<boolean> {
	const [one, neighbour, other] = ["fd77:1::1", "fd77:1::2", "fd77:2::1"] as [string, string, string];
	for (const address of [one, neighbour, other]) {
		if (spawnSync("ip", ["-6", "address", "add", `${address}/128`, "dev", "lo", "nodad"]).status !== 0) return false;
		undo.defer(() => void spawnSync("ip", ["-6", "address", "del", `${address}/128`, "dev", "lo"]));
	}
	const count = maxConnections / 2 + 10;
	const [mine, next, else_] = [
		await openSlowly(undo, proxy, { from: one, host: one, first: 1, count }),
		await openSlowly(undo, proxy, { from: neighbour, host: one, first: 1, count }),
		await openSlowly(undo, proxy, { from: other, host: one, first: 1, count }),
	];
	const holds = mine.countOpen() + next.countOpen() === maxConnections && else_.countOpen() === count;
	for (const { close } of [mine, next, else_]) close();
	return holds;
}
