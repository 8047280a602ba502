import { lazy, memo, Suspense, startTransition, useCallback, useEffect, useState } from "react";
import { useHydrated } from "../../ui/use-hydrated.ts";
import type { FormFieldsProps } from "./form-fields.tsx";

/*
 * These fields are complete in the server's page, and work as they are. Their code arrives when the form is first used, and React then
 * hydrates them in place: what was typed stays (react.dev/reference/react/Suspense).
 */

const { promise: used, resolve: markUsed } = Promise.withResolvers<void>();
const importFields = () => import("./form-fields.tsx");
/** Without their code, the fields stay those of the server’s page. */
const never = () => new Promise<never>(() => {});
const FormFields = lazy(import.meta.env.SSR ? importFields : () => used.then(importFields).catch(never));

/** @returns `ready`: the code has arrived; `load`: call it when a field is used. */
export function useFormFields(): { ready: boolean; load: () => void } {
	// a form that the browser draws itself has no server's page to stay in
	const [drawnHere] = useState(useHydrated());
	const [ready, setReady] = useState(false);
	const load = useCallback(() => {
		markUsed();
		importFields().then(
			() => startTransition(() => setReady(true)),
			() => {}, // offline: the form works as a plain one
		);
	}, []);
	useEffect(() => {
		if (drawnHere) load();
	}, [drawnHere, load]);
	return { ready, load };
}

/** Until its code has arrived, a part of the server's page takes no new properties: React would have to draw it anew. */
export const LaterFormFields = memo(
	function LaterFormFields({ ready: _, ...fields }: FormFieldsProps & { ready: boolean }) {
		return (
			<Suspense fallback={null}>
				<FormFields {...fields} />
			</Suspense>
		);
	},
	(_, next) => !next.ready,
);
