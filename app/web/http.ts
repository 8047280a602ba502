import { data, type RouterContextProvider } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import type { Runtime } from "../../server/runtime.ts";
import { getErrorCode, toError } from "../../server/types/errors.ts";
import { formatAttachmentHeader } from "../orders/documents/file-name.ts";
import { retryAfterContext } from "../shop.ts";
import { BodyRefused, readFormEncoding } from "./bounded-body.ts";
import { describeBodyRefusal } from "./refusals.ts";

/** Headers of a response with personal data: no cache, no referrer with a path, no indexing. */
export const privateHeaders = {
	"cache-control": "no-store",
	"referrer-policy": "strict-origin", // forms need the origin, which the check of cross-site requests compares
	"x-robots-tag": "noindex",
} as const;

/** The headers of a response with personal data that sets cookies. @param cookies Set-Cookie headers. */
export const withPrivateHeaders = (cookies: readonly string[]): Headers =>
	new Headers([...Object.entries(privateHeaders), ...cookies.map((cookie): [string, string] => ["set-cookie", cookie])]);

/** A PDF of one customer, as a download. */
export const createPdfDownload = ({ bytes, fileName }: { bytes: Uint8Array<ArrayBuffer>; fileName: string }): Response =>
	new Response(bytes, {
		headers: {
			...privateHeaders,
			"content-type": "application/pdf",
			"content-disposition": formatAttachmentHeader(fileName),
			"content-length": String(bytes.byteLength),
			"content-security-policy": "default-src 'none'; sandbox",
			// other sites must not embed it or measure its size
			"cross-origin-resource-policy": "same-origin",
		},
	});

/** A public PDF that never changes, as a download. */
export const createPublicPdf = ({ bytes, fileName }: { bytes: Uint8Array<ArrayBuffer>; fileName: string }): Response =>
	new Response(bytes, {
		headers: {
			"cache-control": "public, max-age=31536000, immutable",
			"x-robots-tag": "noindex",
			"content-type": "application/pdf",
			"content-disposition": formatAttachmentHeader(fileName),
			"content-length": String(bytes.byteLength),
		},
	});

/** An error of the API: `{error}` with a sentence in French. */
export function apiError(status: number, sentence: string): Response {
	return Response.json({ error: sentence }, { status, headers: { "cache-control": "no-store" } });
}

/** The loader of a route that only accepts POST. */
export function refuseGet(): Response {
	const refusal = apiError(405, "Cette adresse n’accepte que POST.");
	refusal.headers.set("allow", "POST");
	return refusal;
}

/** Whether a request failed only because its client left. */
export function isAbortedBy({ signal }: Request, error: unknown): boolean {
	if (!signal.aborted) return false;
	if (error === signal.reason || getErrorCode(error) === "ECONNRESET") return true;
	const { name, message } = toError(error);
	return name === "AbortError" || /abort|terminated|closed/i.test(message);
}

/** Reads a JSON body. @returns null when it is malformed. */
export async function readJson(request: Request): Promise<unknown> {
	try {
		return JSON.parse(await readText(request));
	} catch {
		return null;
	}
}

/** Reads a body as it was signed. The front has bounded it (body-limits.ts), as it has those of the two other readers. */
export const readText = async (request: Request): Promise<string> => new TextDecoder().decode(await readBytes(request));

/**
 * Reads the fields of a form.
 * @returns no fields when the body is not a form. @throws 413 or 408 when a form with files is too large or too slow.
 */
export async function readForm(request: Request): Promise<FormData> {
	const encoding = readFormEncoding(request.headers.get("content-type"));
	if (encoding === null) return new FormData();
	const bytes = await readBytes(request);
	try {
		return await new Response(bytes, { headers: { "content-type": encoding.contentType } }).formData();
	} catch {
		return new FormData();
	}
}

/** @returns nothing when the client leaves before the end: nobody reads the answer. */
async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await request.bytes();
	} catch (error) {
		const refused = error instanceof BodyRefused ? error : error instanceof Error ? error.cause : null;
		if (!(refused instanceof BodyRefused)) return new Uint8Array();
		const { status, sentence } = describeBodyRefusal(refused);
		throw data(sentence, { status });
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
