import { sql } from "kysely";
import pg from "pg";
import type { Trx } from "./database.ts";
import type { Log } from "./log.ts";

const channel = "changes";

/** Tells every process, once the transaction is committed, that something about a subject changed. */
export async function announceChange(trx: Trx, subject: string): Promise<void> {
	await sql`select pg_notify(${channel}, ${subject})`.execute(trx);
}

export interface Changes {
	/** Calls back at each change of the subject, and after a lost connection came back; returns the way out. */
	subscribe(subject: string, callback: () => void): () => void;
	stop(): Promise<void>;
}

/** Listens with one connection for the whole process. */
export function listenForChanges(connection: pg.ClientConfig, log: Log): Changes {
	const callbacks = new Map<string, Set<() => void>>();
	let client: pg.Client | undefined;
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;

	async function connect(): Promise<void> {
		client = new pg.Client({ application_name: "extrait-pro changes", ...connection });
		client.on("error", () => {});
		client.on("end", () => {
			if (stopped) return;
			log.warn("the live updates lost their connection");
			timer = setTimeout(connect, 1000);
		});
		client.on("notification", ({ payload }) => {
			for (const callback of callbacks.get(payload ?? "") ?? []) callback();
		});
		try {
			await client.connect();
			await client.query(`listen ${channel}`);
			for (const set of callbacks.values()) for (const callback of set) callback(); // whatever was missed
		} catch (error) {
			log.warn({ error: (error as Error).message }, "the live updates cannot connect");
			await client.end().catch(() => {});
			if (!stopped) timer = setTimeout(connect, 1000);
		}
	}
	void connect();

	return {
		subscribe(subject, callback) {
			const set = callbacks.get(subject) ?? new Set();
			callbacks.set(subject, set.add(callback));
			return () => {
				set.delete(callback);
				if (set.size === 0) callbacks.delete(subject);
			};
		},
		async stop() {
			stopped = true;
			clearTimeout(timer);
			await client?.end().catch(() => {});
		},
	};
}
