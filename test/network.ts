import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type pg from "pg";

export type BreakableNetwork = Awaited<ReturnType<typeof createBreakableNetwork>>;

/**
 * A proxy between the shop and PostgreSQL on loopback, which can break connections.
 * @param server PostgreSQL's host, or the folder of its socket.
 */
export async function createBreakableNetwork(server: pg.ClientConfig) {
	const { host = "127.0.0.1", port = 5432 } = server;
	let passing = true;
	const open = new Set<{ near: Socket; far: Socket; silent: boolean }>();
	const listener = createServer((near) => {
		const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
		const passage = { near, far, silent: !passing };
		open.add(passage);
		near.on("data", (data) => passage.silent || far.write(data));
		far.on("data", (data) => passage.silent || near.write(data));
		for (const [end, other] of [
			[near, far],
			[far, near],
		] as const)
			end
				.on("error", () => end.destroy())
				// a lost machine does not close its connections
				.on("close", () => passage.silent || other.destroy());
		// counts the shop's end, which may stay open after the server closed its own
		near.on("close", () => open.delete(passage));
	});
	listener.listen(0, "127.0.0.1");
	await once(listener, "listening");
	return {
		connection: { ...server, host: "127.0.0.1", port: (listener.address() as AddressInfo).port },
		countOpen: () => open.size,
		/** Counts the silenced connections that are still open at the shop's end. */
		countSilent: () => [...open].filter(({ silent }) => silent).length,
		/**
		 * Open connections stay open and transmit nothing; new connections work.
		 * @param keepAlive milliseconds after which the server's keep-alive closes its end; never by default.
		 */
		silence(keepAlive?: number) {
			const silenced = [...open];
			for (const passage of silenced) passage.silent = true;
			const end = () => {
				for (const { far } of silenced) far.destroy();
			};
			if (keepAlive !== undefined) setTimeout(end, keepAlive).unref();
		},
		/** No connection transmits anything, also new ones. */
		cut() {
			passing = false;
			this.silence();
		},
		/** New connections work again. */
		mend() {
			passing = true;
		},
		async close() {
			for (const { near, far } of open) for (const end of [near, far]) end.destroy();
			await new Promise((closed) => listener.close(closed));
		},
	};
}
