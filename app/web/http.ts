import { getErrorCode, toError } from "../../server/types/errors.ts";
/** How answers are made, named once. */

import type { RouterContextProvider } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import type { Runtime } from "../../server/runtime.ts";
import { retryAfterContext } from "../shop.ts";

/** Headers of a page or answer that speaks of one person: kept nowhere, and its address told to nobody. */
export const privateHeaders = {
	"cache-control": "no-store",
	"referrer-policy": "strict-origin", // the origin still goes along: a form without it would be refused
	"x-robots-tag": "noindex",
} as const;

/** The API's way to say no: `{error}` with a sentence in French. */
export function apiError(status: number, sentence: string): Response {
	return Response.json({ error: sentence }, { status, headers: { "cache-control": "no-store" } });
}

/** The loader of an address that only takes POST. */
export function postOnly(): Response {
	const refusal = apiError(405, "Cette adresse n’accepte que POST.");
	refusal.headers.set("allow", "POST");
	return refusal;
}

/** Whether a request failed because its client left, and not by a fault that would have come anyway. */
export function isAbortedBy({ signal }: Request, error: unknown): boolean {
	if (!signal.aborted) return false;
	if (error === signal.reason || getErrorCode(error) === "ECONNRESET") return true;
	const { name, message } = toError(error);
	return name === "AbortError" || /abort|terminated|closed/i.test(message);
}

/** A JSON body, or null when it is not one. */
export async function readJson(request: Request): Promise<unknown> {
	try {
		return await request.json();
	} catch {
		return null;
	}
}

/** A form's fields; empty when the body is not a form. */
export async function readForm(request: Request): Promise<FormData> {
	try {
		return await request.formData();
	} catch {
		return new FormData();
	}
}

/** Sets Retry-After, in seconds, when an outcome has it: a refusal because of too many requests, or for now. */
export function setRetryAfter(context: Readonly<RouterContextProvider>, outcome: { ok?: boolean; retryAfter?: number }): void {
	if (outcome.retryAfter !== undefined) context.set(retryAfterContext, outcome.retryAfter);
}

/** For `catch`: logs a fault and gives null. An unavailable database stays an error: app/web/web.ts answers it. */
export const logFault =
	({ log }: Pick<Runtime, "log">, message: string) =>
	(error: Error): null => {
		if (isDatabaseUnavailable(error)) throw error;
		log.error({ error: describeFault(error) }, message);
		return null;
	};
