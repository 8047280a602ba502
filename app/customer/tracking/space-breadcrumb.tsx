import { href } from "react-router";
import { Breadcrumb } from "../../ui/breadcrumb.tsx";

/** The way back to « Mes commandes », for a page that it opened. */
export function SpaceBreadcrumb() {
	return (
		<Breadcrumb
			places={[
				{ label: "Accueil", href: href("/") },
				{ label: "Mes commandes", href: href("/mes-commandes") },
			]}
		/>
	);
}
