import { useCallback, useRef } from "react";

export type FilledForm = typeof import("./filled-form.ts");

/**
 * The functions of a form that is being filled in, which the page loads when a field is first used: until then the page is lighter.
 * @returns `filled`: null while they are missing, and when they cannot be loaded; `load`: call it when a field is used.
 */
export function useFilledForm() {
	const filled = useRef<FilledForm>(null);
	const loading = useRef(false);
	const load = useCallback(async () => {
		if (loading.current) return;
		loading.current = true;
		try {
			filled.current = await import("./filled-form.ts");
		} catch {
			loading.current = false; // offline: the next use of a field tries again
		}
	}, []);
	return { filled, load };
}
