import { href, Link, useFetcher, useLocation } from "react-router";
import { button } from "../../ui/button.tsx";
import { UndoForm, useNow } from "./act-form.tsx";

/** An act of the operator that can still be undone. */
export interface PendingLine {
	key: string;
	number: string;
	label: string;
	/** ISO 8601. */
	dueAt: string;
}

/** An act of the operator that was refused when its time came. */
export interface RefusedLine {
	key: string;
	number: string;
	/** The page of the order that the operator may open; null: none. */
	path: string | null;
	label: string;
	/** Why. */
	sentence: string;
}

/** Lines of each kind in the bar, which covers the page's end. In a fast sitting a dozen acts wait at once; the page of an order has its own. */
const mostLines = 2;

/** What the operator asked for on orders of other pages: it can be undone, and what was refused is said. Both the last one first. */
export function PendingBar({ acts, refused }: { acts: readonly PendingLine[]; refused: readonly RefusedLine[] }) {
	const { pathname } = useLocation();
	const now = useNow();
	// an order's own page shows its acts, and what can no longer be undone goes before the page is read again
	const elsewhere = acts.filter(({ number, dueAt }) => !pathname.includes(number) && (now === null || Date.parse(dueAt) > now));
	const refusedElsewhere = refused.filter(({ number }) => !pathname.includes(number));
	if (elsewhere.length === 0 && refusedElsewhere.length === 0) return null;
	const more = elsewhere.length - mostLines;
	const moreRefused = refusedElsewhere.length - mostLines;
	return (
		<div className="sticky bottom-0 z-10 -mx-4 mt-6 -mb-6 max-h-48 overflow-y-auto border-t border-line bg-sheet px-4 py-1 text-sm sm:-mx-6 sm:px-6">
			<div className="mx-auto max-w-page">
				{refusedElsewhere.length > 0 && (
					<aside aria-label="Actions qui n’ont pas été faites">
						{refusedElsewhere.slice(0, mostLines).map((line) => (
							<RefusedAct key={line.key} line={line} />
						))}
						{moreRefused > 0 && (
							<p className="text-soft">
								{moreRefused === 1 ? "Une autre action n’a pas été faite." : `${moreRefused} autres actions n’ont pas été faites.`}
							</p>
						)}
					</aside>
				)}
				{elsewhere.length > 0 && (
					<aside aria-label="Encore annulable">
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
				)}
			</div>
		</div>
	);
}

/** What was not done, why, and where to do it; it leaves the bar once the operator has taken note. */
function RefusedAct({ line: { key, number, path, label, sentence } }: { line: RefusedLine }) {
	const fetcher = useFetcher();
	return (
		<fetcher.Form method="post" action={href("/bureau/action")} className="flex flex-wrap items-center gap-x-4">
			<input type="hidden" name="do" value="dismiss" />
			<input type="hidden" name="key" value={key} />
			<p className="min-w-0 font-semibold text-failed" role="status">
				{path === null ? (
					<span className="figures">{number}</span>
				) : (
					<Link className="link figures" to={path}>
						{number}
					</Link>
				)}
				&nbsp;: «&nbsp;{label}&nbsp;» n’a pas été fait. {sentence}
			</p>
			<button type="submit" disabled={fetcher.state !== "idle"} className={button("quiet")}>
				J’ai vu<span className="sr-only"> ({number})</span>
			</button>
		</fetcher.Form>
	);
}
