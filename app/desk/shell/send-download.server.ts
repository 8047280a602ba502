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
export const sendDownload = (body: BodyInit, { name, type, bytes = null }: Download): Response =>
	new Response(body, {
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
