import { parseServiceCode } from "../../catalogue/services.ts";
import { type FormLine, toFormLine } from "./form-line.ts";
import { lineFields, linesField, maxLines, maxListLength } from "./lines/line-fields.ts";
import { readList } from "./lines/read-list.ts";
import { toTypedLine } from "./lines/typed-lines.ts";
import type { OrderForm } from "./order-forms.server.ts";
import { readValues } from "./read-values.server.ts";

/** Whether a body is of the form with checked lines, and not of the first step. */
export const isListForm = (form: FormData): boolean => form.has(linesField);

/**
 * Reads the lines of the form; a chosen company takes the place of the typed name.
 * @returns `added`: the lines of the field for further companies, null when its text is too long to be read; `leftOut`: its rows
 * that name none.
 */
export function readListForm(form: FormData): OrderForm & { added: FormLine[] | null; leftOut: string[] } {
	const text = (name: string) => String(form.get(name) ?? "");
	const places = Array.from({ length: maxLines }, (_, index) => index + 1).filter((place) => form.has(lineFields(place).company));
	const lines = places.map((place): FormLine => {
		const fields = lineFields(place);
		const { company, reference } = toTypedLine(text(fields.choice) || text(fields.company), text(fields.reference));
		return { company, reference, service: parseServiceCode(text(fields.service)) ?? "", siren: null };
	});
	const read = { values: readValues(form), lines };
	const typed = text("entreprises");
	if (typed.length > maxListLength) return { ...read, added: null, leftOut: [] };
	const added = readList(typed);
	return { ...read, added: added.lines.map(toFormLine), leftOut: added.leftOut };
}
