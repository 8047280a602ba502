// Forwards TCP connections and delays each packet. As a program, it reads the delay in milliseconds from standard input:
// node relay.ts 127.0.0.1:5400 127.0.0.1:5000
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** @param delay gives the milliseconds for each packet. */
export async function startRelay(undo: AsyncDisposableStack, from: string, to: string, delay = () => 0): Promise<void> {
	const open = new Set<Socket>();
	const server = createServer((incoming) => {
		const [host, port] = split(to);
		const outgoing = connect(port, host);
		for (const [source, target] of [
			[incoming, outgoing],
			[outgoing, incoming],
		] as const) {
			open.add(source);
			forward(source, target, delay);
			source.once("close", () => open.delete(source));
		}
	});
	const [host, port] = split(from);
	server.listen(port, host);
	await once(server, "listening");
	undo.defer(async () => {
		for (const socket of open) socket.destroy();
		await new Promise((closed) => server.close(closed));
	});
}

function forward(source: Socket, target: Socket, delay: () => number): void {
	let due = 0;
	/** Keeps the order, also when the delay becomes shorter. */
	const later = (act: () => void) => {
		due = Math.max(performance.now() + delay(), due);
		const left = due - performance.now();
		if (left > 0) setTimeout(act, left);
		else act();
	};
	// a relay that never notices a dead end would keep it open
	source
		.setKeepAlive(true, 5000)
		.on("data", (bytes) => later(() => target.write(bytes)))
		.on("error", () => {})
		.on("close", () => later(() => target.destroy()));
}

function split(address: string): [string, number] {
	const [host = "", port] = address.split(":");
	return [host, Number(port)];
}

if (import.meta.main) {
	const [from = "", to = ""] = process.argv.slice(2);
	let delay = 0;
	process.stdin.on("data", (input) => {
		delay = Number(String(input).trim());
	});
	await startRelay(new AsyncDisposableStack(), from, to, () => delay);
}
