import { type DataStrategyResult, isRouteErrorResponse, type MiddlewareFunction } from "react-router";
import { isShutOut } from "./keep-page.ts";

/** What a reading gave, by route. */
export type Results = Record<string, DataStrategyResult>;

/** A reading has failed; the page that it was for may set what it keeps in place of the results. */
export class ReadingFailed extends Event {
	kept: Results | null = null;
	/** Path and query of the page that was read. */
	readonly address: string;
	readonly results: Results;
	constructor(address: string, results: Results) {
		super("reading-failed");
		this.address = address;
		this.results = results;
	}
}

/**
 * Client middleware of the desk. A page is read again after each change; a reading that fails must not put an error or the sign-in in
 * the place of what was typed, so the open page decides.
 */
export const askToKeep: MiddlewareFunction<Results> = async ({ request }, next) => {
	const results = await next();
	const hasFailed = Object.values(results).some(({ type }) => type === "error");
	if (request.method !== "GET" || request.signal.aborted || !hasFailed) return results;
	const { pathname, search } = new URL(request.url);
	const failed = new ReadingFailed(pathname + search, results);
	dispatchEvent(failed);
	return failed.kept ?? results;
};

/** Why a page stays as it was: its operator was shut out while they typed, or the reading failed. */
export type ReasonToKeep = "shut-out" | "failed";

/** That a page stays, in the data of the layout. */
export interface KeptPage {
	why: ReasonToKeep;
	/** The key of its location: another page is not kept. */
	key: string;
}

/** @returns why a page stays with these results; null when it gives way to them: to the sign-in, to another page, or because it is gone. */
export function findReasonToKeep(results: Results, hasTyped: () => boolean): ReasonToKeep | null {
	const errors = Object.values(results).flatMap(({ type, result }) => (type === "error" ? [result] : []));
	if (errors.some(isShutOut)) return hasTyped() ? "shut-out" : null;
	const isAnswer = (error: unknown) => error instanceof Response || (isRouteErrorResponse(error) && [404, 410].includes(error.status));
	return errors.some(isAnswer) ? null : "failed";
}
