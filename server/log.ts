import { type DestinationStream, type Logger, pino } from "pino";

export type Log = Logger;

/** JSON lines on standard output, or where they are wanted. Route patterns only: never a query, a token or personal data. */
export function openLog(level: string, destination?: DestinationStream): Log {
	const options = {
		level,
		base: null,
		timestamp: pino.stdTimeFunctions.isoTime,
		redact: ["email", "*.email", "customer", "*.customer", "url", "*.url"],
	};
	return destination ? pino(options, destination) : pino(options);
}
