import { useSite } from "./site.ts";

/**
 * Who we are not, the official price and the free routes: stands near every call to order, and in the footer.
 * `short` is for places where the longer text is on the same page.
 */
export function PrivateService({ short, className = "" }: { short?: boolean; className?: string }) {
	const site = useSite();
	if (!site) return null;
	const { amount, source, date } = site.officialPrice;
	return (
		<div className={`text-sm text-soft ${className}`}>
			<p>
				{site.shop.name} est un service privé et indépendant, sans lien avec Infogreffe, les greffes, l’INPI ni l’État.
				{short &&
					` Le greffe vend l’extrait électronique ${amount} ; nos prix comprennent la demande, la vérification, l’envoi et l’assistance.`}
			</p>
			{!short && (
				<>
					<p className="mt-2">
						Le greffe vend l’extrait électronique {amount} (source : {source}, {date}).
					</p>
					<p className="mt-2">
						Il est gratuit pour le dirigeant de l’entreprise sur{" "}
						<a className="link" href="https://monidenum.fr" rel="external">
							MonIdenum
						</a>
						, sauf dans les départements 57, 67, 68 et en Nouvelle-Calédonie. L’extrait du registre national des entreprises (RNE), qui
						n’est pas un Kbis, est gratuit pour tous sur{" "}
						<a className="link" href="https://data.inpi.fr" rel="external">
							data.inpi.fr
						</a>
						.
					</p>
				</>
			)}
		</div>
	);
}
