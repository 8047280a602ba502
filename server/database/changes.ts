import { type AliasedRawBuilder, sql } from "kysely";
import type pg from "pg";
import type { Log } from "../observability/log.ts";
import { listen } from "./listen.ts";

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
	const { stop } = listen({ application_name: "extrait-pro changes", ...connection }, channel, {
		onNotification(subject) {
			for (const callback of callbacks.get(subject) ?? []) callback();
		},
		onListening() {
			for (const set of callbacks.values()) for (const callback of set) callback(); // whatever was missed
		},
		onLost: (reason) => log.warn({ reason }, "the live updates lost their connection"),
	});
	return {
		subscribe(subject, callback) {
			const set = callbacks.get(subject) ?? new Set();
			callbacks.set(subject, set.add(callback));
			return () => {
				set.delete(callback);
				if (set.size === 0) callbacks.delete(subject);
			};
		},
		stop,
	};
}
