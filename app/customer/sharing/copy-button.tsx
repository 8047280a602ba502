import { useState } from "react";
import { button } from "../../ui/button.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

/** Copies a text that stands in a field beside it; absent where the browser cannot. @param label what is copied. */
export function CopyButton({ value, label }: { value: string; label: string }) {
	const [said, setSaid] = useState(`Copier ${label}`);
	// the clipboard is missing on http addresses other than localhost
	if (!useHydrated() || !navigator.clipboard) return null;
	const copy = () =>
		navigator.clipboard.writeText(value).then(
			() => setSaid("Copié"),
			() => setSaid("Copie refusée par le navigateur"),
		);
	return (
		<button type="button" className={button("secondary", "mt-2")} onClick={copy} onBlur={() => setSaid(`Copier ${label}`)}>
			<span aria-live="polite">{said}</span>
		</button>
	);
}
