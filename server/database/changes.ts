import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely";
import type pg from "pg";
import type { Log } from "../observability/log.ts";
import { listen } from "./listen.ts";

/** The PostgreSQL channel of all notifications. Exported for code that sends one without Kysely. */
export const changesChannel = "changes";

/** The subject of changes to data on public pages. */
export const publicPagesSubject = "public pages";

/** The subject of changes to what the operators' desk shows. */
export const deskSubject = "desk";

/** For the `returning` clause of a write: notifies all processes, after the commit, of a change to a subject. */
export const changeNotification = (subject: string | RawBuilder<string>): AliasedRawBuilder<unknown, "announced"> =>
	sql`pg_notify(${changesChannel}, ${subject})`.as("announced");

export interface Changes {
	/** Calls back at each change of the subject, and after a reconnection. @returns a function that unsubscribes. */
	subscribe(subject: string, callback: () => void): () => void;
	stop(): Promise<void>;
}

/** Listens with one connection for the whole process. */
export function listenForChanges(connection: pg.ClientConfig, log: Log): Changes {
	const callbacks = new Map<string, Set<() => void>>();
	const { stop } = listen({ application_name: "extrait-pro changes", ...connection }, changesChannel, {
		onNotification(subject) {
			for (const callback of callbacks.get(subject) ?? []) callback();
		},
		onListening() {
			for (const subscribers of callbacks.values()) for (const callback of subscribers) callback(); // notifications may have been missed
		},
		onLost: (reason) => log.warn({ reason }, "the live updates lost their connection"),
	});
	return {
		subscribe(subject, callback) {
			const subscribers = callbacks.get(subject) ?? new Set();
			callbacks.set(subject, subscribers.add(callback));
			return () => {
				subscribers.delete(callback);
				if (subscribers.size === 0) callbacks.delete(subject);
			};
		},
		stop,
	};
}
