import { isKeyOf } from "../../../server/types/objects.ts";
import { fillFields } from "./fields/fill-fields.ts";
import type { OrderErrors } from "./order-form.ts";

/** The field of the button that corrects an e-mail address and goes on: its value names the address. */
export const correctionField = "correct";

/** Corrects the address in the form before it is sent, if « Oui, corriger » was pressed. @param meant what was probably meant. */
export function correctTyped(form: HTMLFormElement, pressed: HTMLElement | null, meant: OrderErrors): void {
	if (pressed?.getAttribute("name") !== correctionField) return;
	const field = pressed.getAttribute("value") ?? "";
	if (isKeyOf(meant, field) && meant[field]) fillFields(form, { [field]: meant[field] });
}
