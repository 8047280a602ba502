import { Form, href } from "react-router";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";

/** The field by which the form leads to the page of a purchase. */
export const wholeField = "ensemble";

interface ConfirmEmailProps {
	/** The number that is asked for with the address: of the order, or of the first of its purchase. */
	number: string;
	/** The form leads to the page of the purchase. */
	isPurchase: boolean;
	/** What the address opens: « voir vos factures, partager ou annuler ». */
	opens: string;
}

/** Gives full access to a browser that came by the link of an e-mail, where what it does not open would stand. */
export function ConfirmEmail({ number, isPurchase, opens }: ConfirmEmailProps) {
	return (
		<Section id="confirmer" title="Gérer cette commande" className="print:hidden">
			<p className="mb-4">Pour {opens}, confirmez votre adresse e-mail.</p>
			<Form method="post" action={href("/suivi-commande")} noValidate>
				<input type="hidden" name="orderId" value={number} />
				{isPurchase && <input type="hidden" name={wholeField} value="1" />}
				<TextField name="email" type="email" label="Adresse e-mail" autoComplete="email" />
				<button type="submit" className={button("secondary", "mt-4")}>
					Continuer
				</button>
			</Form>
		</Section>
	);
}
