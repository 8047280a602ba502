import { type Logger, pino } from "pino";

export type Log = Logger;

/** JSON lines on standard output. Route patterns only: never a query, a token or personal data. */
export function openLog(level: string): Log {
	return pino({
		level,
		base: null,
		timestamp: pino.stdTimeFunctions.isoTime,
		redact: ["email", "*.email", "customer", "*.customer", "url", "*.url"],
	});
}
