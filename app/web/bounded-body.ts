import { MIMEType } from "node:util";
import type { Context, MiddlewareHandler } from "hono";
import { type BodyLimits, getBodyLimits } from "./body-limits.ts";

type GetLimits = (pattern: string, isMultipart: boolean) => BodyLimits;

/**
 * Bounds the body of each request before its route gets it: bytes, fields and time. A usual body is read here, so that a route gets it
 * whole or not at all; one with files is bounded while its route reads it, which first asks who sends it.
 * @param getRoute the pattern of a request's route. @param refuse answers a body that is too large or too slow.
 */
export function boundBodies(
	getRoute: (c: Context) => string,
	refuse: (c: Context, refused: BodyRefused) => Promise<Response>,
	getLimits: GetLimits = getBodyLimits,
): MiddlewareHandler {
	return async (c, next) => {
		const { raw } = c.req;
		if (raw.method === "GET" || raw.method === "HEAD") return next();
		const encoding = readFormEncoding(raw.headers.get("content-type"));
		const limits = getLimits(getRoute(c), encoding?.isMultipart ?? false);
		const bounded = boundBody(raw, limits, encoding);
		if (limits.isReadByRoute) {
			c.req.raw = replaceBody(raw, toStream(bounded));
			return next();
		}
		const chunks: Uint8Array<ArrayBuffer>[] = [];
		try {
			for await (const chunk of bounded) chunks.push(chunk);
		} catch (error) {
			if (!(error instanceof BodyRefused)) throw error;
			const { keptBytes } = limits;
			if (encoding === null || keptBytes === undefined || error.reason !== "bytes" || !error.isRead) return refuse(c, error);
			c.set("isFormTruncated", true);
			const kept = Buffer.concat(chunks).subarray(0, keptBytes);
			c.req.raw = replaceBody(raw, Buffer.concat([kept, Buffer.from(`\r\n${encoding.separator}--\r\n`)]));
			return next();
		}
		c.req.raw = replaceBody(raw, Buffer.concat(chunks));
		return next();
	};
}

/** Not `ReadableStream.from`, which TypeScript does not know. */
const toStream = (chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void>): ReadableStream<Uint8Array<ArrayBuffer>> =>
	new ReadableStream(
		{
			async pull(controller) {
				const { done, value } = await chunks.next();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			cancel: async () => void (await chunks.return()),
		},
		{ highWaterMark: 0 },
	);

function replaceBody({ url, method, headers, signal }: Request, body: BodyInit): Request {
	const kept = new Headers(headers);
	kept.delete("content-length");
	const init: RequestInit & { duplex: "half" } = { method, headers: kept, body, signal, duplex: "half" };
	return new Request(url, init);
}

/** A body is larger than its route accepts (413), or arrives too slowly (408). */
export class BodyRefused extends Error {
	readonly reason: "bytes" | "fields" | "seconds";
	/** Whether the body was read to its end: a client that is cut off never reads the answer. */
	readonly isRead: boolean;
	constructor(reason: BodyRefused["reason"], isRead: boolean) {
		super(`a body is refused because of its ${reason}`);
		this.reason = reason;
		this.isRead = isRead;
	}
}

/** A form in one of the two encodings of browsers, and what stands between its fields. */
interface FormEncoding {
	contentType: string;
	isMultipart: boolean;
	separator: string;
}

/** @returns null when the content type is not a form's. */
export function readFormEncoding(contentType: string | null): FormEncoding | null {
	if (contentType === null) return null;
	const type = parseType(contentType);
	if (type?.essence === "application/x-www-form-urlencoded") return { contentType, isMultipart: false, separator: "&" };
	const boundary = type?.essence === "multipart/form-data" ? type.params.get("boundary") : null;
	return boundary ? { contentType, isMultipart: true, separator: `--${boundary}` } : null;
}

/** Reads parameters as the parser of forms does (WHATWG, MIME Sniffing), so that both know the same boundary. */
function parseType(contentType: string): MIMEType | null {
	try {
		return new MIMEType(contentType);
	} catch {
		return null;
	}
}

/** Of a body that is too large, so much is read and discarded. */
const discardedBytes = 32 * 1024 * 1024;

/**
 * Passes the body of a request on, piece by piece, within its limits. What follows in a body that is too large is read and discarded.
 * The request is not touched before the first piece is asked for: the server discards a body that nobody reads.
 * @param encoding null for a body that is no form: it has no fields.
 * @throws BodyRefused
 */
export async function* boundBody(
	request: Request,
	{ bytes, fields, seconds, maxRead = discardedBytes }: BodyLimits,
	encoding: FormEncoding | null,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
	if (Number(request.headers.get("content-length")) > maxRead) throw new BodyRefused("bytes", false);
	if (request.body === null) return;
	const countSeparators = encoding && createCounter(encoding.separator);
	// a form with files has a separator before its first part and one after its last
	const maxSeparators = encoding?.isMultipart ? fields + 1 : fields - 1;
	const reader = request.body.getReader();
	const late = Promise.withResolvers<"late">();
	const timer = setTimeout(late.resolve, seconds * 1000, "late");
	let read = 0;
	let exceeded: "bytes" | "fields" | null = null;
	try {
		for (;;) {
			const next = await Promise.race([reader.read(), late.promise]);
			if (next === "late") throw new BodyRefused("seconds", false);
			if (next.done) break;
			const chunk = next.value;
			read += chunk.length;
			if (exceeded === null && read > bytes) exceeded = "bytes";
			if (exceeded === null && countSeparators && countSeparators(chunk, maxSeparators) > maxSeparators) exceeded = "fields";
			if (exceeded === null) yield chunk;
			else if (read > maxRead) throw new BodyRefused(exceeded, false);
		}
	} finally {
		clearTimeout(timer);
	}
	if (exceeded !== null) throw new BodyRefused(exceeded, true);
}

/** Counts the occurrences of a text in the pieces of a body. It stops at one more than `most`. */
function createCounter(separator: string): (chunk: Uint8Array, most: number) => number {
	const wanted = Buffer.from(separator);
	let found = 0;
	let rest = Buffer.alloc(0);
	return (chunk, most) => {
		const bytes = Buffer.concat([rest, chunk]);
		let read = 0;
		for (let at = bytes.indexOf(wanted); at !== -1 && found <= most; at = bytes.indexOf(wanted, read)) {
			found++;
			read = at + wanted.length;
		}
		// a separator may begin in one piece and end in the next
		rest = bytes.subarray(Math.max(read, bytes.length - wanted.length + 1));
		return found;
	};
}
