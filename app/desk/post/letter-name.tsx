import { href, Link } from "react-router";
import type { LetterRow } from "./post.store.server.ts";

/** A letter in a list: its company, number and recipient. */
export function LetterName({ letter }: { letter: LetterRow }) {
	return (
		<div className="min-w-0">
			<Link to={href("/bureau/commandes/:number", { number: letter.number })} className="font-semibold hover:underline">
				{letter.company}
			</Link>
			<p className="flex flex-wrap gap-x-4 text-sm text-soft">
				<span className="figures">{letter.number}</span>
				<span>
					{letter.recipient}, {letter.city}
				</span>
			</p>
		</div>
	);
}
