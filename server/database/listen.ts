import type pg from "pg";
import { toError } from "../types/errors.ts";
import { Client, timeouts } from "./database.ts";

/** Milliseconds between checks that the server answers: silence alone does not distinguish a dead server from an idle one. */
const heartbeatIntervalMs = 10_000;

interface Listener {
	onNotification: (payload: string) => void;
	/** Called at the first connection and after each reconnection, when notifications may have been missed. */
	onListening: () => void;
	/** Called once per lost connection, not for each failed attempt to reconnect. */
	onLost: (reason: string) => void;
}

/**
 * Listens to a PostgreSQL channel on a separate connection until it is stopped. It reconnects after a second when the connection
 * fails, is lost or does not answer its heartbeat in time.
 */
export function listen(
	connection: pg.ClientConfig,
	channel: string,
	{ onNotification, onListening, onLost }: Listener,
): { stop(): Promise<void> } {
	let client: Client | undefined;
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;
	let reported = false;

	async function connect(): Promise<void> {
		const current = new Client({ query_timeout: timeouts.connectionTimeoutMillis, ...connection });
		client = current;
		let lost = false;
		const reconnect = (reason: string) => {
			if (lost || stopped) return;
			lost = true;
			clearTimeout(timer);
			if (!reported) onLost(reason);
			reported = true;
			timer = setTimeout(connect, 1000);
			void current.end().catch(() => {});
		};
		const scheduleHeartbeat = () => {
			timer = setTimeout(async () => {
				await current.query("select 1").then(scheduleHeartbeat, (error: Error) => reconnect(error.message));
			}, heartbeatIntervalMs);
		};
		current.on("error", (error) => reconnect(error.message));
		current.on("end", () => reconnect("ended"));
		current.on("notification", ({ payload }) => onNotification(payload ?? ""));
		try {
			await current.connect();
			await current.query(`listen "${channel}"`);
			reported = false;
			if (stopped || lost) return;
			scheduleHeartbeat();
			onListening();
		} catch (error) {
			reconnect(toError(error).message);
		}
	}
	void connect();

	return {
		async stop() {
			stopped = true;
			clearTimeout(timer);
			await client?.end();
		},
	};
}
