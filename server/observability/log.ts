import { type DestinationStream, type Logger, pino } from "pino";
import { currentContext, logFields } from "./request-context.ts";

export type Log = Logger;

/** The longest fault that is read, in characters: a partner, or the sender of an e-mail, may write any text. */
const maxFaultLength = 20_000;

/**
 * Formats an error for the log: its stack, without the e-mail addresses that a partner's answer may quote. A longer one is cut between
 * two words, so that no half of an address is left.
 */
export function describeFault(error: unknown): string {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	const read = text.length <= maxFaultLength ? text : `${/^.*\s/s.exec(text.slice(0, maxFaultLength))?.[0] ?? ""}…`;
	// the lookbehind begins once at each word: a name of a megabyte is read once, not once at each of its letters
	return read.replace(/(?<![\w.+%'-])[\w.+%'-]+@[\w-]+(\.[\w-]+)+/g, "…@…");
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
