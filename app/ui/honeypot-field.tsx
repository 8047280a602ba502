import { TextField } from "./field.tsx";

/** A field that people do not see: only programs fill it in, and their form is dropped. */
export function HoneypotField() {
	return (
		<div hidden>
			<TextField name="website" label="Laissez ce champ vide" tabIndex={-1} autoComplete="off" />
		</div>
	);
}
