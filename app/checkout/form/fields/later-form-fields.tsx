import { type ComponentType, lazy, memo, Suspense } from "react";
import { typedEntries } from "../../../../server/types/objects.ts";
import type { FormFieldsProps } from "./form-fields.tsx";
import type { FormSummaryProps } from "./form-summary.tsx";

/*
 * These parts are complete in the server's page, and work as they are. Their code arrives when the form is first used, and React then
 * hydrates them in place: what was typed stays (react.dev/reference/react/Suspense).
 */

const importFields = () => import("./form-code.ts");
type FormCode = Awaited<ReturnType<typeof importFields>>;
const { promise: loaded, resolve: markLoaded } = Promise.withResolvers<FormCode>();

/** Loads the code of these parts, and returns the functions of their form. @throws when it does not arrive: they stay those of the server's page. */
export async function loadFields() {
	const code = await importFields();
	markLoaded(code);
	return code;
}

interface LaterProps<Props> {
	/** The code has arrived. */
	ready: boolean;
	/** The browser draws the form itself: there is no part of the server's page. */
	drawnHere: boolean;
	part: Props;
}

/**
 * Until its code has arrived, a part of the server's page takes no new properties, and later none that are the same: React would have to
 * draw it anew while it is not hydrated yet. A part that the browser draws has no fallback: what is on the screen stays until its code is
 * there.
 */
function later<Props extends object>(choose: (code: FormCode) => ComponentType<Props & { isFromServer: boolean }>) {
	const Part = lazy(async () => ({ default: choose(await (import.meta.env.SSR ? importFields() : loaded)) }));
	return memo(
		({ drawnHere, part }: LaterProps<Props>) => {
			if (drawnHere) loadFields().catch(() => {});
			return drawnHere ? (
				<Part {...part} isFromServer={false} />
			) : (
				<Suspense fallback={null}>
					<Part {...part} isFromServer />
				</Suspense>
			);
		},
		(before, next) => !next.ready || typedEntries(next.part).every(([name, value]) => before.part[name] === value),
	);
}

export const LaterFormFields = later<FormFieldsProps>(({ FormFields }) => FormFields);
export const LaterFormSummary = later<FormSummaryProps>(({ FormSummary }) => FormSummary);
