import { href, Link } from "react-router";
import type { LinePlace } from "./describe-line-place.ts";

/** The orders that were bought with the one of the page: those around it, when there are many. */
export function PurchaseLines({ purchase: { count, open, lines } }: { purchase: LinePlace }) {
	const [first, last] = [lines[0]?.line, lines.at(-1)?.line];
	return (
		<section aria-labelledby="lignes">
			<h2 id="lignes" className="text-lg">
				Commande groupée
			</h2>
			<p className="mt-1 text-sm text-soft">
				{count} lignes, {open === 0 ? "aucune en cours" : `${open} en cours`}.
				{lines.length < count && ` Ci-dessous, les lignes ${first} à ${last}.`}
			</p>
			<ol className="mt-2 divide-y divide-line border-y border-line text-sm">
				{lines.map(({ line, number, company, reference, text, isThis }) => (
					<li key={number} className={`grid grid-cols-[2.5rem_minmax(0,1fr)] py-2 ${isThis ? "font-semibold" : ""}`}>
						<span className="figures text-soft">{line}</span>
						<span className="min-w-0 break-words">
							{isThis ? (
								<span className="figures" aria-current="true">
									{number}
								</span>
							) : (
								<Link className="link figures" to={href("/bureau/commandes/:number", { number })}>
									{number}
								</Link>
							)}{" "}
							{company}, {text}
							{reference && <span className="block text-soft">{reference}</span>}
						</span>
					</li>
				))}
			</ol>
		</section>
	);
}
