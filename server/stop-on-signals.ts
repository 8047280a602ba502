import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds for running requests, from the end of the drain. */
const maxResponseMs = 5000;

/** Milliseconds from the end of the drain until the process exits, even if work still runs. */
const maxStopMs = 9500;

/** Milliseconds during which a second signal repeats the first: process managers signal a whole group, and run.mjs passes signals on. */
const repeatedSignalMs = 1000;

interface StopOptions {
	/** Undefined in a process without an HTTP server. */
	server: Server | undefined;
	drainSeconds: number;
	/** Makes health checks fail. */
	drain(): void;
	/** Closes everything else after the running requests. */
	close(requestsFinished: Promise<void>): Promise<void>;
}

/**
 * Ends this process with 0 after a signal to stop, within `drainSeconds` plus 9.5 seconds. SIGTERM drains first: health checks fail
 * while the process still serves, so that proxies use other processes. SIGINT, SIGHUP and a second SIGTERM end the drain.
 */
export function stopOnSignals({ server, drainSeconds, drain, close }: StopOptions): void {
	const drained = Promise.withResolvers<void>();
	let stopping: Promise<void> | undefined;
	let stopRequestedAt = 0;

	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
		process.on(signal, () => {
			const isSecond = stopping !== undefined && performance.now() - stopRequestedAt > repeatedSignalMs;
			if (signal !== "SIGTERM" || isSecond) drained.resolve();
			if (stopping) return;
			stopRequestedAt = performance.now();
			stopping = stop();
		});
	}

	async function stop(): Promise<void> {
		drain();
		if (drainSeconds > 0) await Promise.race([wait(drainSeconds * 1000), drained.promise]);
		setTimeout(() => process.exit(0), maxStopMs).unref();
		const requestsFinished = new Promise<void>((done) => (server ? server.close(() => done()) : done()));
		setTimeout(() => server?.closeAllConnections(), maxResponseMs).unref();
		// a finished response leaves its connection open
		setInterval(() => server?.closeIdleConnections(), 50).unref();
		await close(requestsFinished);
		process.exit(0);
	}
}
