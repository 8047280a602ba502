import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds that running requests have, from the end of the drain. */
const longestAnswer = 5000;

/** Milliseconds from the end of the drain to the end of the process, whatever still runs. */
const longestStop = 9500;

/** Milliseconds. A second signal within them repeats the first: process managers signal a whole group, and run.mjs passes signals on. */
const repetition = 1000;

interface Stopping {
	/** Undefined in a process that does not listen. */
	server: Server | undefined;
	drainSeconds: number;
	/** Makes health checks fail from now on. */
	drain(): void;
	/** Closes whatever else is open, once running requests are `answered`. */
	close(answered: Promise<void>): Promise<void>;
}

/**
 * Ends this process with 0 when it is asked to stop, at most `drainSeconds` and 9.5 seconds later.
 * SIGTERM drains first: health checks fail while everything is still served, so that proxies send the next requests to other processes.
 * SIGINT, SIGHUP and a second SIGTERM end the drain.
 */
export function stopOnSignals({ server, drainSeconds, drain, close }: Stopping): void {
	const drained = Promise.withResolvers<void>();
	let stopping: Promise<void> | undefined;
	let askedAt = 0;

	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
		process.on(signal, () => {
			const isSecond = stopping !== undefined && performance.now() - askedAt > repetition;
			if (signal !== "SIGTERM" || isSecond) drained.resolve();
			if (stopping) return;
			askedAt = performance.now();
			stopping = stop();
		});
	}

	async function stop(): Promise<void> {
		drain();
		if (drainSeconds > 0) await Promise.race([wait(drainSeconds * 1000), drained.promise]);
		setTimeout(() => process.exit(0), longestStop).unref();
		const answered = new Promise<void>((done) => (server ? server.close(() => done()) : done()));
		setTimeout(() => server?.closeAllConnections(), longestAnswer).unref();
		// an answer that has just ended leaves its connection open
		setInterval(() => server?.closeIdleConnections(), 50).unref();
		await close(answered);
		process.exit(0);
	}
}
