import { TextField } from "./field.tsx";

/** An invisible field that only robots fill in; the server then ignores the form. */
export function HoneypotField() {
	return (
		<div hidden>
			<TextField name="website" label="Laissez ce champ vide" tabIndex={-1} autoComplete="off" />
		</div>
	);
}
