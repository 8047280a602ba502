import { href } from "react-router";

/** Shown where one company is chosen, because accountants and lawyers come with a list. */
export function SeveralLink({ className = "" }: { className?: string }) {
	return (
		<p className={className}>
			Plusieurs entreprises&nbsp;?{" "}
			<a className="link inline-block" href={href("/commande/plusieurs")}>
				Un paiement, une facture
			</a>
		</p>
	);
}
