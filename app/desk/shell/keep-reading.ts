import { type DataStrategyResult, isRouteErrorResponse, type MiddlewareFunction } from "react-router";
import { isShutOut } from "./keep-page.ts";

/** What a reading gave, by route. */
export type Results = Record<string, DataStrategyResult>;

/** A reading of the open page has failed; the page may set what it keeps in place of the results. */
export class ReadingFailed extends Event {
	kept: Results | null = null;
	readonly results: Results;
	constructor(results: Results) {
		super("reading-failed");
		this.results = results;
	}
}

/**
 * Client middleware of the desk. A page is read again after each change; a reading that fails must not put an error or the sign-in in
 * the place of what was typed, so the open page decides.
 */
export const askToKeep: MiddlewareFunction<Results> = async ({ request }, next) => {
	const results = await next();
	const isOpenPage = request.method === "GET" && request.url === location.href.replace(/#.*/, "");
	if (!isOpenPage || request.signal.aborted || !Object.values(results).some(({ type }) => type === "error")) return results;
	const failed = new ReadingFailed(results);
	dispatchEvent(failed);
	return failed.kept ?? results;
};

/** Why a page stays as it was: its operator was shut out while they typed, or the reading failed. */
export type ReasonToKeep = "shut-out" | "failed";

/** @returns why a page stays with these results; null when it gives way to them: to the sign-in, to another page, or because it is gone. */
export function findReasonToKeep(results: Results, hasTyped: () => boolean): ReasonToKeep | null {
	const errors = Object.values(results).flatMap(({ type, result }) => (type === "error" ? [result] : []));
	if (errors.some(isShutOut)) return hasTyped() ? "shut-out" : null;
	const isAnswer = (error: unknown) => error instanceof Response || (isRouteErrorResponse(error) && error.status < 500);
	return errors.some(isAnswer) ? null : "failed";
}
