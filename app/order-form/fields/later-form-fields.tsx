import { lazy, memo, Suspense } from "react";
import type { FormFieldsProps } from "./form-fields.tsx";

/*
 * These fields are complete in the server's page, and work as they are. Their code arrives when the form is first used, and React then
 * hydrates them in place: what was typed stays (react.dev/reference/react/Suspense).
 */

const importFields = () => import("./form-code.ts");
const { promise: loaded, resolve: markLoaded } = Promise.withResolvers<Awaited<ReturnType<typeof importFields>>>();
const FormFields = lazy(import.meta.env.SSR ? importFields : () => loaded);

/** Loads the code of the fields, and returns the functions of their form. @throws when it does not arrive: the fields stay those of the server's page. */
export async function loadFields() {
	const code = await importFields();
	markLoaded(code);
	return code;
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
