import { data } from "react-router";
import { countParts, readFormEncoding, TooManyParts } from "../../web/count-parts.ts";

/** The longest form of the desk has the tracking numbers of a day. */
const maxFields = 1000;

/** Files are dropped in twenties (sort-files.server.ts). */
const maxParts = 100;

/**
 * Reads the fields of a form of the desk without NUL, which PostgreSQL does not accept: operators paste from anywhere, and no
 * page of the desk has a use for it. The forms of the shop refuse it instead, with a sentence at the field.
 *
 * @returns no fields when the body is not a form. @throws 413 when it has too many fields or files.
 */
export async function readDeskForm(request: Request): Promise<FormData> {
	const fields = new FormData();
	for (const [name, value] of await readForm(request)) fields.append(name, typeof value === "string" ? value.replaceAll("\0", "") : value);
	return fields;
}

async function readForm({ body, headers }: Request): Promise<FormData> {
	const encoding = readFormEncoding(headers.get("content-type"));
	if (encoding === null || body === null) return new FormData();
	const counted = body.pipeThrough(countParts(encoding.separator, encoding.isMultipart ? maxParts : maxFields));
	try {
		return await new Response(counted, { headers: { "content-type": encoding.contentType } }).formData();
	} catch (error) {
		if (!isOrCausedBy(error, TooManyParts)) return new FormData();
		throw data("Ce formulaire a trop de champs ou de fichiers. Envoyez-les en plusieurs fois.", { status: 413 });
	}
}

const isOrCausedBy = (error: unknown, kind: typeof TooManyParts) =>
	error instanceof kind || (error instanceof Error && error.cause instanceof kind);
