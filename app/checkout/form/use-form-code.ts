import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { useDrawnHere } from "../../ui/use-hydrated.ts";
import { loadFields } from "./fields/later-form-fields.tsx";

export type FormFunctions = Awaited<ReturnType<typeof loadFields>>;

/**
 * Loads the code of the form when a field is first used: its fields, and the functions that check and store it. Until then the page is
 * lighter, and the form works as a plain one.
 * @returns `ready`: the code of the fields has arrived; `drawnHere`: the browser draws the form itself; `functions`: null until theirs has;
 * `load`: call it when a field is used.
 */
export function useFormCode() {
	// a form that the browser draws itself has no fields from the server
	const drawnHere = useDrawnHere();
	const [ready, setReady] = useState(false);
	const functions = useRef<FormFunctions>(null);
	const loading = useRef(false);
	const load = useCallback(async () => {
		if (loading.current) return;
		loading.current = true;
		try {
			functions.current = await loadFields();
			startTransition(() => setReady(true));
		} catch {
			loading.current = false; // offline: the next use of a field tries again
		}
	}, []);
	useEffect(() => {
		if (drawnHere) load();
	}, [drawnHere, load]);
	return { ready, drawnHere, functions, load };
}
