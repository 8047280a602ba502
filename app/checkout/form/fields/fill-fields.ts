/** Field → text. */
export type FieldTexts = Readonly<Record<string, string>>;

/**
 * Fills in uncontrolled fields of the form, and opens the folded parts that hold them.
 * @param keepTyped leaves text fields alone that are not empty.
 * @returns the fields that were filled in.
 */
export function fillFields(form: HTMLFormElement, values: FieldTexts, { keepTyped = false } = {}): string[] {
	return Object.entries(values).flatMap(([name, text]) => {
		const field = form.elements.namedItem(name);
		if (field instanceof RadioNodeList) {
			field.value = text;
		} else {
			if (!(field instanceof HTMLInputElement) || (keepTyped && field.value !== "")) return [];
			field.value = text;
			const folded = field.closest("details");
			if (folded && text !== "") folded.open = true;
		}
		return [name];
	});
}
