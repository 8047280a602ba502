import { useLocation } from "react-router";
import { UndoForm } from "./undo-form.tsx";
import { useNow } from "./use-now.ts";

/** An act of the operator that can still be undone. */
export interface PendingLine {
	key: string;
	number: string;
	label: string;
	/** ISO 8601. */
	dueAt: string;
}

/** Lines of the bar, which covers the page's end. In a fast sitting a dozen acts wait at once; older ones are undone on their order's page. */
const mostLines = 2;

/** What the operator asked for on orders of other pages: it can be undone from any page. @param acts the last one first. */
export function PendingBar({ acts }: { acts: readonly PendingLine[] }) {
	const { pathname } = useLocation();
	const now = useNow();
	// an order's own page shows its acts, and what can no longer be undone goes before the page is read again
	const elsewhere = acts.filter(({ number, dueAt }) => !pathname.includes(number) && (now === null || Date.parse(dueAt) > now));
	if (elsewhere.length === 0) return null;
	const more = elsewhere.length - mostLines;
	return (
		<aside
			aria-label="Encore annulable"
			className="sticky bottom-0 z-10 -mx-4 mt-6 -mb-6 max-h-28 overflow-y-auto border-t border-line bg-sheet px-4 py-1 text-sm sm:-mx-6 sm:px-6"
		>
			{elsewhere.slice(0, mostLines).map(({ key, number, label, dueAt }) => (
				<UndoForm key={key} actKey={key} dueAt={dueAt} now={now} text={`${number}\u00a0: ${label}.`} compact />
			))}
			{more > 0 && (
				<p className="text-soft">
					{more === 1
						? "Une autre action s’annule sur la page de sa commande."
						: `${more} autres actions s’annulent sur la page de leur commande.`}
				</p>
			)}
		</aside>
	);
}
