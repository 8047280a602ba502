import { href, useFetcher } from "react-router";
import { button } from "../../ui/button.tsx";
import type { Unsent } from "../shell/keep-page.ts";

interface UndoFormProps {
	actKey: string;
	/** ISO 8601. */
	dueAt: string;
	/** Milliseconds; null before the page runs its scripts. One clock serves all forms of a page: each would hold its drawing up. */
	now: number | null;
	text: string;
	/** One of several lines. */
	compact?: boolean;
}

/** « Annuler », while there is time. */
export function UndoForm({ actKey, dueAt, now, text, compact = false }: UndoFormProps) {
	const fetcher = useFetcher<{ text: string; unsent?: Unsent }>();
	const left = now === null ? null : Date.parse(dueAt) - now;
	// rounded down: the page’s clock is up to a second behind, and would show 31 of 30 seconds
	const seconds = left === null ? 0 : Math.floor(left / 1000);
	const answer = fetcher.state === "idle" ? fetcher.data : undefined;
	if (answer && !answer.unsent) return <p>{answer.text}</p>;
	return (
		<fetcher.Form method="post" action={href("/bureau/action")} className="flex flex-wrap items-center gap-x-4">
			<input type="hidden" name="do" value="undo" />
			<input type="hidden" name="key" value={actKey} />
			<p>
				{answer?.text ?? text} {seconds > 0 && <span className="figures">{seconds}&nbsp;s pour l’annuler.</span>}
			</p>
			{(left === null || left > 0) && (
				<button type="submit" className={button(compact ? "quiet" : "secondary")}>
					Annuler
				</button>
			)}
		</fetcher.Form>
	);
}
