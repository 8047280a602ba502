import { CheckboxField } from "../../../ui/field.tsx";
import type { OrderValues } from "../order-form.ts";

export function PreferenceFields({ values }: { values: OrderValues }) {
	return (
		<>
			<CheckboxField
				name="newsletter"
				value="on"
				label={
					<>
						Recevoir la lettre d’information par <span className="whitespace-nowrap">e-mail</span>
					</>
				}
				hint="Au plus une par mois. Un message vous demandera de confirmer."
				optional
				defaultChecked={values.newsletter !== ""}
			/>
			<CheckboxField name="emailInvoice" label="Recevoir ma facture par email" defaultChecked disabled />
		</>
	);
}
