import { href } from "react-router";

export function PrivacyNote() {
	return (
		<p className="mt-4 text-sm text-soft">
			Vos données servent uniquement à traiter votre commande et à remplir nos obligations (facture, preuve, sécurité). Consultez notre{" "}
			<a className="link" href={href("/politique-confidentialite")}>
				politique de confidentialité
			</a>{" "}
			et nos{" "}
			<a className="link" href={href("/cgv")}>
				conditions générales
			</a>
			.
		</p>
	);
}
