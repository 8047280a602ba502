import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type pg from "pg";

export type BreakableNetwork = Awaited<ReturnType<typeof createBreakableNetwork>>;

/**
 * A network between the shop and PostgreSQL, on loopback, that can break as networks do.
 * @param server where PostgreSQL listens: the folder of its socket, or a host.
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
				// of a machine that is gone, nobody hears that its connection is closed
				.on("close", () => passage.silent || other.destroy());
		// our end: that the server closes its own says nothing of who still waits here
		near.on("close", () => open.delete(passage));
	});
	listener.listen(0, "127.0.0.1");
	await once(listener, "listening");
	return {
		connection: { ...server, host: "127.0.0.1", port: (listener.address() as AddressInfo).port },
		/** How many of those that were silenced are still open at our end. */
		countSilent: () => [...open].filter(({ silent }) => silent).length,
		/**
		 * What is open now stays open and passes nothing any more; new connections work.
		 * @param keepAlive milliseconds after which the server's own keep-alive ends its side, where it is set.
		 */
		silence(keepAlive?: number) {
			const silenced = [...open];
			for (const passage of silenced) passage.silent = true;
			const end = () => {
				for (const { far } of silenced) far.destroy();
			};
			if (keepAlive !== undefined) setTimeout(end, keepAlive).unref();
		},
		/** Nothing passes any more, also on new connections. */
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
