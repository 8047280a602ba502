import { parseServiceCode } from "../catalogue/services.ts";
import { type FormLine, toFormLine } from "./form-line.ts";
import { maxLines, maxListLength, readTypedLines, toTypedLine } from "./lines/typed-lines.ts";
import { readOrderValues } from "./order-form.ts";
import type { OrderForm } from "./order-forms.server.ts";

/** The form has this field, also when its last line was removed. */
export const linesField = "lignes";

/** What the page showed of its lines (shown-lines.server.ts). */
export const shownField = "vues";

/** The names of the fields of a line. @param place from 1. */
export const lineFields = (place: number) => ({
	company: `entreprise-${place}`,
	choice: `choix-${place}`,
	service: `service-${place}`,
	reference: `reference-${place}`,
});

/** Whether a body is of the form with checked lines, and not of the first step. */
export const isListForm = (form: FormData): boolean => form.has(linesField);

/**
 * Reads the lines of the form; a chosen company takes the place of the typed name.
 * @returns `added`: the lines of the field for further companies.
 */
export function readListForm(form: FormData): OrderForm & { added: FormLine[] } {
	const text = (name: string) => String(form.get(name) ?? "");
	const places = Array.from({ length: maxLines }, (_, index) => index + 1).filter((place) => form.has(lineFields(place).company));
	const lines = places.map((place): FormLine => {
		const fields = lineFields(place);
		const { company, reference } = toTypedLine(text(fields.choice) || text(fields.company), text(fields.reference));
		return { company, reference, service: parseServiceCode(text(fields.service)) ?? "", siren: null };
	});
	const added = readTypedLines(text("entreprises").slice(0, maxListLength)).map(toFormLine);
	return { values: readOrderValues(form), lines, added };
}
