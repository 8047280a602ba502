import { href } from "react-router";

/** Why no company has a number. One that is well formed may be newer than the imported register. */
export function UnknownNumber({ siren, isValid }: { siren: string; isValid: boolean }) {
	if (!isValid) return <p className="mt-2">Ce numéro n’est pas valide&nbsp;: un chiffre est sans doute erroné.</p>;
	return (
		<p className="mt-2">
			Ce numéro est valide, mais nous ne trouvons pas cette entreprise. Si elle vient d’être créée, elle apparaîtra dans les prochains
			jours. D’ici là, cherchez-la dans l’
			<a className="link" rel="external" href={`https://annuaire-entreprises.data.gouv.fr/rechercher?terme=${siren}`}>
				annuaire des entreprises
			</a>{" "}
			ou commandez son extrait directement au greffe. Vous pouvez aussi{" "}
			<a className="link" href={href("/contact")}>
				nous écrire
			</a>
			.
		</p>
	);
}
