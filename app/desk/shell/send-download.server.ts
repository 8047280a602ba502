import { Readable } from "node:stream";
import { toWebStream } from "../../../server/web-stream.ts";
import { formatAttachmentHeader } from "../../orders/documents/file-name.ts";
import { deskHeaders } from "./signed-in.server.ts";

interface Download {
	name: string;
	/** As in content-type. */
	type: string;
	/** Null when it is not known before the end. */
	bytes?: number | null;
}

/** Answers with a file, always as a download: the desk's origin shows nobody else's HTML, XML or PDF. */
/** A stream is sent as it is read. */
export type Body = BodyInit | Readable;

export const sendDownload = (body: Body, { name, type, bytes = null }: Download): Response =>
	new Response(body instanceof Readable ? toWebStream(body) : body, {
		headers: {
			...deskHeaders,
			"content-type": type,
			"content-disposition": formatAttachmentHeader(name),
			...(bytes !== null && { "content-length": String(bytes) }),
			"content-security-policy": "default-src 'none'; sandbox",
			"cross-origin-resource-policy": "same-origin",
			"x-content-type-options": "nosniff",
		},
	});
