import { type AliasedRawBuilder, sql } from "kysely";
import pg from "pg";
import type { Log } from "./log.ts";

/** The channel of every announcement, for those who send one without kysely. */
export const channel = "changes";

/** The subject of what public pages show and may show no longer. */
export const publicPages = "public pages";

/** For the `returning` of a statement that writes: tells every process, once it is committed, that something about a subject changed. */
export const announcement = (subject: string): AliasedRawBuilder<unknown, "announced"> =>
	sql`pg_notify(${channel}, ${subject})`.as("announced");

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

	/** Connects, and again a second after the connection failed or was lost; says so once. */
	async function connect(saidSo: boolean): Promise<void> {
		const mine = new pg.Client({ application_name: "extrait-pro changes", keepAlive: true, connectionTimeoutMillis: 5000, ...connection });
		client = mine;
		let gone = false;
		const again = (reason: string) => {
			if (gone || stopped) return;
			gone = true;
			if (!saidSo) log.warn({ reason }, "the live updates lost their connection");
			timer = setTimeout(() => connect(true), 1000);
			void mine.end();
		};
		mine.on("error", (error) => again(error.message));
		mine.on("end", () => again("ended"));
		mine.on("notification", ({ payload }) => {
			for (const callback of callbacks.get(payload ?? "") ?? []) callback();
		});
		try {
			await mine.connect();
			await mine.query(`listen ${channel}`);
			saidSo = false;
			for (const set of callbacks.values()) for (const callback of set) callback(); // whatever was missed
		} catch (error) {
			again((error as Error).message);
		}
	}
	void connect(false);

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
			await client?.end();
		},
	};
}
