import { href } from "react-router";
import { formatEuros } from "../../../catalogue/money.ts";
import { archivedContractCents, formatPeriod, retention } from "../../../catalogue/retention.ts";

export function PrivacyNote() {
	return (
		<p className="mt-3 text-sm text-soft">
			Vos données servent uniquement à traiter votre commande et à remplir nos obligations (facture, preuve, sécurité). Nous archivons le
			contrat {formatPeriod(retention.orders)}, et {formatPeriod(retention.contracts)} dès {formatEuros(archivedContractCents)}
			&nbsp;: vous le retrouvez dans «&nbsp;Mes commandes&nbsp;». Consultez notre{" "}
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
