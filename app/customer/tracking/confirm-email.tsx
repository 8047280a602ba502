import { Form, href } from "react-router";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { destinationField } from "./page-parts.ts";

/** « annuler, partager ou voir la facture » */
export const choice = new Intl.ListFormat("fr-FR", { type: "disjunction" });

interface ConfirmEmailProps {
	/** The number that is asked for with the address: of the order, or of the first of its purchase. */
	number: string;
	/** Where the form leads, as formatDestination writes it. */
	destination: string;
	/** What the address opens: « voir vos factures », « partager ». */
	opens: readonly string[];
}

/**
 * Gives full access to a browser that came by the link of an e-mail, where what it does not open would stand. It loads a document, so that
 * the browser goes to the part of the page that was asked for.
 */
export function ConfirmEmail({ number, destination, opens }: ConfirmEmailProps) {
	return (
		<Section id="confirmer" title="Gérer cette commande" className="print:hidden">
			<p className="mb-4">Pour {choice.format(opens)}, confirmez votre adresse e-mail.</p>
			<Form method="post" action={href("/suivi-commande")} reloadDocument noValidate>
				<input type="hidden" name="orderId" value={number} />
				<input type="hidden" name={destinationField} value={destination} />
				<TextField name="email" type="email" label="Adresse e-mail" autoComplete="email" />
				<button type="submit" className={button("secondary", "mt-4")}>
					Continuer
				</button>
			</Form>
		</Section>
	);
}
