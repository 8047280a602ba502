import { readForm } from "../../web/http.ts";

/**
 * Reads the fields of a form of the desk without NUL, which PostgreSQL does not accept: operators paste from anywhere, and no
 * page of the desk has a use for it. The forms of the shop refuse it instead, with a sentence at the field.
 *
 * @returns no fields when the body is not a form. @throws 413 or 408 when a form with files is too large or too slow.
 */
export async function readDeskForm(request: Request): Promise<FormData> {
	const fields = new FormData();
	for (const [name, value] of await readForm(request)) fields.append(name, typeof value === "string" ? value.replaceAll("\0", "") : value);
	return fields;
}
