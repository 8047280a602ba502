import { type DestinationStream, type Logger, pino } from "pino";
import { currentContext, logFields } from "./request-context.ts";

export type Log = Logger;

/** Formats an error for the log: its stack, without the e-mail addresses that a partner's answer may quote. */
export function describeFault(error: unknown): string {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return text.replace(/[\w.+%'-]+@[\w-]+(\.[\w-]+)+/g, "…@…");
}

/**
 * Writes JSON lines to standard output or to `destination`. Lines hold route patterns, never a query, a token or personal data.
 * Each line names the current request, order and job; a line's own fields override them.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
	const options = {
		level,
		base: null,
		mixin: () => logFields(currentContext()),
		timestamp: pino.stdTimeFunctions.isoTime,
		redact: ["email", "*.email", "customer", "*.customer", "url", "*.url"],
	};
	return destination ? pino(options, destination) : pino(options);
}
