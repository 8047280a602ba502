import { useLocation } from "react-router";
import { UndoForm } from "./undo-form.tsx";

/** An act of the operator that can still be undone. */
export interface PendingLine {
	key: string;
	number: string;
	label: string;
	/** ISO 8601. */
	dueAt: string;
}

/** What the operator asked for on orders of other pages: it can be undone from any page. */
export function PendingBar({ acts }: { acts: readonly PendingLine[] }) {
	const { pathname } = useLocation();
	// an order's own page shows its acts
	const elsewhere = acts.filter(({ number }) => !pathname.includes(number));
	if (elsewhere.length === 0) return null;
	return (
		<aside
			aria-label="Encore annulable"
			className="sticky bottom-0 z-10 -mx-4 mt-6 -mb-6 max-h-28 overflow-y-auto border-t border-line bg-sheet px-4 py-1 text-sm sm:-mx-6 sm:px-6"
		>
			{elsewhere.map(({ key, number, label, dueAt }) => (
				<UndoForm key={key} actKey={key} dueAt={dueAt} text={`${number}\u00a0: ${label}.`} compact />
			))}
		</aside>
	);
}
