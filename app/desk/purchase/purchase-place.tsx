import { href, Link } from "react-router";
import type { LinePlace } from "./describe-line-place.ts";

/** « Ligne 3 sur 40 de la commande groupée KB-… » @param number of the order of the page. @param money leads to the money of the purchase. */
export function PurchasePlace({
	purchase,
	number,
	money = false,
}: {
	purchase: Pick<LinePlace, "number" | "line" | "count">;
	number: string;
	money?: boolean;
}) {
	const to = href(money ? "/bureau/argent/:number" : "/bureau/commandes/:number", { number: purchase.number });
	return (
		<p>
			Ligne {purchase.line} sur {purchase.count} de la commande groupée{" "}
			{purchase.number === number ? (
				<span className="figures">{purchase.number}</span>
			) : (
				<Link className="link figures" to={to}>
					{purchase.number}
				</Link>
			)}
		</p>
	);
}
