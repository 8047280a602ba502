import type pg from "pg";
import { toError } from "../types/errors.ts";
import { Client, timeouts } from "./database.ts";

/** Milliseconds between two looks whether the server still answers: a dead one sends nothing, and so does an idle one. */
const heartbeat = 10_000;

interface Listener {
	onNotification: (payload: string) => void;
	/** Called each time the channel is listened to: at first, and after a lost connection, when something may have been missed. */
	onListening: () => void;
	/** Called once for each loss, however often connecting again fails. */
	onLost: (reason: string) => void;
}

/**
 * Listens to a channel of PostgreSQL with a connection of its own, for as long as it is not stopped. A connection that fails, is lost
 * or does not answer its heartbeat in time is replaced after a second.
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
		const mine = new Client({ query_timeout: timeouts.connectionTimeoutMillis, ...connection });
		client = mine;
		let lost = false;
		const reconnect = (reason: string) => {
			if (lost || stopped) return;
			lost = true;
			clearTimeout(timer);
			if (!reported) onLost(reason);
			reported = true;
			timer = setTimeout(connect, 1000);
			void mine.end().catch(() => {});
		};
		const beat = () => {
			timer = setTimeout(async () => {
				await mine.query("select 1").then(beat, (error: Error) => reconnect(error.message));
			}, heartbeat);
		};
		mine.on("error", (error) => reconnect(error.message));
		mine.on("end", () => reconnect("ended"));
		mine.on("notification", ({ payload }) => onNotification(payload ?? ""));
		try {
			await mine.connect();
			await mine.query(`listen "${channel}"`);
			reported = false;
			if (stopped || lost) return;
			beat();
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
