import { href } from "react-router";
import { CheckboxField } from "../../ui/field.tsx";
import type { OrderErrors, OrderValues } from "../order-form.ts";

interface ConsentFieldsProps {
	errors: OrderErrors;
	/** What the customer ticked in the submit that this page answers. */
	ticked?: Pick<OrderValues, "acceptTerms" | "waiveWithdrawal">;
}

/** The two consents, never ticked in advance (docs/rules.md, R9); also on /paiement when its query has none. */
export function ConsentFields({ errors, ticked }: ConsentFieldsProps) {
	return (
		<>
			<CheckboxField
				name="acceptTerms"
				value="on"
				error={errors.acceptTerms}
				defaultChecked={ticked?.acceptTerms === "on"}
				label={
					<>
						J’accepte les{" "}
						<a className="link" href={href("/cgv")} target="_blank" rel="noopener">
							conditions générales de vente
						</a>
						.
					</>
				}
			/>
			<CheckboxField
				name="waiveWithdrawal"
				value="on"
				optional
				defaultChecked={ticked?.waiveWithdrawal === "on"}
				label="Je demande l’exécution immédiate de ma commande et je reconnais perdre mon droit de rétractation une fois le document livré."
				hint="Si vous ne la cochez pas, votre commande est traitée de la même façon et vous conservez quatorze jours pour vous rétracter."
			/>
		</>
	);
}
