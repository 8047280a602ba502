import { href } from "react-router";
import { termsTick } from "../../../catalogue/text-versions.ts";
import { termsSentence, waiverHint, waiverSentence } from "../../../orders/terms/consent-sentences.ts";
import { CheckboxField } from "../../../ui/field.tsx";
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
				value={termsTick}
				error={errors.acceptTerms}
				defaultChecked={(ticked?.acceptTerms ?? "") !== ""}
				label={
					<>
						{termsSentence.before}
						<a className="link" href={href("/cgv")} target="_blank" rel="noopener">
							{termsSentence.link}
						</a>
						{termsSentence.after}
					</>
				}
			/>
			<CheckboxField
				name="waiveWithdrawal"
				value="on"
				optional
				defaultChecked={ticked?.waiveWithdrawal === "on"}
				label={waiverSentence}
				hint={waiverHint}
			/>
		</>
	);
}
