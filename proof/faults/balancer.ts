import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * A TCP load balancer: forwards connections to several ports in turn and skips closed ones.
 * A request whose process is killed is lost, and its sender notices.
 */
export async function startBalancer(undo: AsyncDisposableStack, port: number, ports: readonly number[]): Promise<void> {
	const open = new Set<Socket>();
	let turn = 0;
	const server = createServer((client) => {
		open.add(client);
		client.once("close", () => open.delete(client)).on("error", () => client.destroy());
		turn++;
		forward(
			client,
			ports.map((_, index) => ports[(turn + index) % ports.length] as number),
		);
	});
	server.listen(port, "127.0.0.1");
	await once(server, "listening");
	undo.defer(async () => {
		for (const client of open) client.destroy();
		await new Promise((closed) => server.close(closed));
	});
}

function forward(client: Socket, [port, ...others]: readonly number[]): void {
	if (port === undefined) return void client.destroy();
	const web = connect(port, "127.0.0.1");
	let connected = false;
	web.once("connect", () => {
		connected = true;
		client.pipe(web).pipe(client);
		client.once("close", () => web.destroy());
	});
	web.on("error", () => web.destroy());
	web.once("close", () => (connected ? client.destroy() : forward(client, others)));
}
