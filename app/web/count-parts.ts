import { MIMEType } from "node:util";

/** A form has more parts than its reader accepts. */
export class TooManyParts extends Error {}

/** A form in one of the two encodings of browsers, and what stands between its parts. */
interface EncodedForm {
	contentType: string;
	isMultipart: boolean;
	separator: string;
}

/** @returns null when the content type is not a form's. */
export function readFormEncoding(contentType: string | null): EncodedForm | null {
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

/**
 * Lets a form pass until it has too many parts: what follows is read and discarded, because a client that is cut off never reads the
 * answer, and the stream then fails with TooManyParts. Many small parts cost much more memory than their bytes.
 */
export function countParts(separator: string, maxParts: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
	const wanted = Buffer.from(separator);
	let found = 0;
	let rest = Buffer.alloc(0);
	return new TransformStream({
		transform(chunk, controller) {
			if (found > maxParts) return;
			const bytes = Buffer.concat([rest, chunk]);
			let read = 0;
			for (let at = bytes.indexOf(wanted); at !== -1 && found <= maxParts; at = bytes.indexOf(wanted, read)) {
				found++;
				read = at + wanted.length;
			}
			// a separator may begin in one chunk and end in the next
			rest = bytes.subarray(Math.max(read, bytes.length - wanted.length + 1));
			if (found <= maxParts) controller.enqueue(chunk);
		},
		flush() {
			if (found > maxParts) throw new TooManyParts();
		},
	});
}
