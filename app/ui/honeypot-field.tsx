import { TextField } from "./field.tsx";

/** A field that nobody sees: what is in it was typed by a program, and its form is dropped. */
export function HoneypotField() {
	return (
		<div hidden>
			<TextField name="website" label="Laissez ce champ vide" tabIndex={-1} autoComplete="off" />
		</div>
	);
}
