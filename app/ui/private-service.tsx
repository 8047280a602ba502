import { useSite } from "./site.ts";

/** The notice of a private service, with the official price and the free alternatives: near every call to order. */
export function PrivateService({ className = "" }: { className?: string }) {
	const site = useSite();
	if (!site) return null;
	const { who, price } = site.privateService;
	return (
		<p className={`text-sm text-soft ${className}`}>
			{who} {price} Il est en général gratuit pour le dirigeant, sur{" "}
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
