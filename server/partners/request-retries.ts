/** How a partner's API is asked again after an error. */
import { minute } from "../durations.ts";
import { toError } from "../types/errors.ts";

/** Milliseconds before each repetition of a request. */
export const retryPausesMs: readonly number[] = [2_000, 5_000, 15_000, 30_000, 60_000];

/**
 * Reads the wait that a partner asks for.
 * @param header a number of seconds, or a date. @param now in milliseconds.
 * @returns milliseconds; null without a usable value, or for an instant that is past.
 */
export function parseWait(header: string | null, now: number): number | null {
	if (header === null) return null;
	const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
	return waitMs >= 0 ? waitMs : null;
}

/** Milliseconds. A partner that asks for a longer wait is not waited for. */
export const maxWaitMs = 15 * minute;
/** The wait after « too many requests » (429) without a usable value. */
export const defaultWaitMs = minute;

/** @param api such as « INSEE's API ». */
export const describeLongWait = (api: string, waitMs: number): string =>
	`${api} asks to wait for ${Math.ceil(waitMs / minute)} minutes: begin again then.`;

/** Why a request failed, in words. */
export function describeRequestError(error: unknown): string {
	if (error instanceof DOMException && error.name === "TimeoutError") return "it took too long";
	const { message, cause } = toError(error);
	return cause instanceof Error ? cause.message || message : message;
}
