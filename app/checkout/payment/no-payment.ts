import { href } from "react-router";
import { formatPeriod, orderFormHours } from "../../catalogue/retention.ts";

interface Link {
	href: string;
	label: string;
}

/** Why the payment page has nothing to pay, from the server: few visitors need these sentences, and the scripts are for all. */
export interface NoPayment {
	title: string;
	lead: string;
	text: string | null;
	links: [Link, ...Link[]];
}

/** No company has the SIREN of the order. @param editUrl its form. */
export const describeUnknownCompany = (siren: string, editUrl: string): NoPayment => ({
	title: "Entreprise introuvable",
	lead: `Aucune entreprise trouvée avec le SIREN ${siren}`,
	text: null,
	links: [{ href: editUrl, label: "Modifier ma commande" }],
});

/** The stored form has expired. The browser's draft lives longer, and the form offers it. */
export const describeExpiredForm = (): NoPayment => ({
	title: "Votre saisie a expiré",
	lead: `Nous gardons une saisie non payée pendant ${formatPeriod({ hours: orderFormHours })}. Rien n’a été débité.`,
	text: "Si ce navigateur en a gardé un brouillon, le formulaire vous propose de le reprendre. Si vous avez déjà payé, votre commande est enregistrée\u00a0: retrouvez-la sur la page de suivi.",
	links: [
		{ href: href("/commande"), label: "Reprendre ma commande" },
		{ href: href("/suivi-commande"), label: "Suivre ma commande" },
	],
});
