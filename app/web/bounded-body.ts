import { MIMEType } from "node:util";
import type { BodyLimits } from "./body-limits.ts";

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
	const reader = (request.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
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
