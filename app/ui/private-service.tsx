import { setFrenchSpaces } from "./french-spaces.ts";
import { type Site, useSite } from "./site.ts";

/** Its first sentence, for the footer. */
export const describePrivateService = ({ shop }: Site): string =>
	`${shop.name} est un service privé et indépendant, sans lien avec Infogreffe, les greffes, l’INPI ni l’État.`;

/** The notice of a private service, with the official price and the free alternatives: near every call to order. */
export function PrivateService({ className = "" }: { className?: string }) {
	const site = useSite();
	if (!site) return null;
	const { amount, source, date } = site.officialPrice;
	return (
		<p className={`text-sm text-soft ${className}`}>
			{describePrivateService(site)}{" "}
			{setFrenchSpaces(`Au greffe, l’extrait électronique coûte ${amount} (source\u00a0: ${source}, ${date})`)}. Il est en général gratuit
			pour le dirigeant, sur{" "}
			<a className="link" href="https://monidenum.fr" rel="external">
				MonIdenum
			</a>
			. L’extrait RNE, qui n’est pas un Kbis, est gratuit pour tous, sur{" "}
			<a className="link" href="https://data.inpi.fr" rel="external">
				data.inpi.fr
			</a>
			.
		</p>
	);
}
