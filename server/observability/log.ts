import { type DestinationStream, type Logger, pino } from "pino";
import { currentContext, logFields } from "./request-context.ts";

export type Log = Logger;

/** A fault of ours for the log: its stack, without the mail addresses that a partner's answer may quote. */
export function describeFault(error: unknown): string {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return text.replace(/[\w.+%'-]+@[\w-]+(\.[\w-]+)+/g, "…@…");
}

/**
 * JSON lines on standard output, or where they are wanted. Route patterns only: never a query, a token or personal data.
 * Each names the request, order and job under way; what a line says itself goes before that.
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
