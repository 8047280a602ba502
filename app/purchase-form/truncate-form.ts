/** Says that a form's file was too large: the body ends within it. */
const shortenedHeader = "x-shortened-form";

export const isTruncated = ({ headers }: Request): boolean => headers.has(shortenedHeader);

/**
 * Reads a form with files that is too large to its end, and keeps its beginning: the fields before the file are whole, so that its page
 * can be shown again with what was typed.
 * @returns null when the body is no such form, or longer than `maxRead`.
 */
export async function truncateForm({ url, headers, body }: Request, kept: number, maxRead: number): Promise<Request | null> {
	const [, boundary] = /^multipart\/form-data;.*boundary="?([^";]{1,70})/.exec(headers.get("content-type") ?? "") ?? [];
	if (!boundary || body === null || Number(headers.get("content-length")) > maxRead) return null;
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		if (length < kept) chunks.push(chunk.subarray(0, kept - length));
		length += chunk.length;
	}
	chunks.push(new TextEncoder().encode(`\r\n--${boundary}--\r\n`));
	const shortened = new Headers(headers);
	shortened.delete("content-length");
	shortened.set(shortenedHeader, "1");
	return new Request(url, { method: "POST", headers: shortened, body: Buffer.concat(chunks) });
}
