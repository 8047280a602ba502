import { setFrenchSpaces } from "./french-spaces.ts";
import { type Site, useSite } from "./site.ts";

/** The sentence alone, for the footer of pages whose order button has the whole notice beside it. */
export const describePrivateService = ({ shop }: Site): string =>
	`${shop.name} est un service privé et indépendant, sans lien avec Infogreffe, les greffes, l’INPI ni l’État.`;

/**
 * The notice of a private service, with the official price and the free alternatives: near every call to order, and in the footer.
 * `short` is one paragraph, beside a call to order.
 */
export function PrivateService({ short, className = "" }: { short?: boolean; className?: string }) {
	const site = useSite();
	if (!site) return null;
	const { amount, source, date } = site.officialPrice;
	const who = describePrivateService(site);
	const price = setFrenchSpaces(`Au greffe, l’extrait électronique coûte ${amount} (source\u00a0: ${source}, ${date})`);
	const dirigeants = (
		<a className="link" href="https://monidenum.fr" rel="external">
			MonIdenum
		</a>
	);
	const everybody = (
		<a className="link" href="https://data.inpi.fr" rel="external">
			data.inpi.fr
		</a>
	);
	if (short) {
		return (
			<p className={`text-sm text-soft ${className}`}>
				{who} {price}. Il est en général gratuit pour le dirigeant, sur {dirigeants}. L’extrait RNE, qui n’est pas un Kbis, est gratuit pour
				tous, sur {everybody}.
			</p>
		);
	}
	return (
		<div className={`text-sm text-soft ${className}`}>
			<p>{who}</p>
			<p className="mt-2">{price}. Nos prix comprennent la demande, la vérification, l’envoi et l’assistance.</p>
			<p className="mt-2">
				Il est gratuit pour le dirigeant de l’entreprise sur {dirigeants}, sauf dans les départements 57, 67, 68 et en Nouvelle-Calédonie.
				L’extrait du registre national des entreprises (RNE), qui n’est pas un Kbis, est gratuit pour tous sur {everybody}.
			</p>
		</div>
	);
}
