import type { CompanyPreview } from "../../companies/company.ts";
import { Section } from "../../ui/page.tsx";
import type { BillingIdentity } from "../billing-identity.ts";
import { EmailDoubt } from "../email-doubt.tsx";
import type { FormState } from "../form-state.ts";
import type { OrderValues } from "../order-form.ts";
import { BillingFields } from "./billing-fields.tsx";
import { ConsentFields } from "./consent-fields.tsx";
import { ContactFields } from "./contact-fields.tsx";
import { DeliveryFields } from "./delivery-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { PreferenceFields } from "./preference-fields.tsx";
import { PrivacyNote } from "./privacy-note.tsx";
import { RememberField } from "./remember-field.tsx";

interface CustomerFieldsProps {
	values: OrderValues;
	errors: FormState["errors"];
	answer: Pick<FormState, "billingFound" | "suggestions">;
	/** An address that looks mistyped stopped the form. */
	doubtful: FormState["doubtful"];
	/** The companies of the extracts, each once; none before one is chosen. */
	companies: readonly CompanyPreview[];
	/** Several extracts may be ordered. */
	hasList: boolean;
	/** An extract is posted. */
	posted: boolean;
	/** The boxes are ticked as the form was sent. */
	ticked: boolean;
	/** What this browser remembers, where it is asked; null in a page without scripts. */
	remembers: { stored: boolean; identity: BillingIdentity | null; onDelete: () => void } | null;
	onFill?: (texts: FieldTexts) => void;
	/** Called when fields have been filled in. */
	onEdit?: (...fields: string[]) => void;
}

const nothing = () => {};

/** Who orders, where letters go, who is invoiced, and the consents: once for all extracts. */
export function CustomerFields({ values, errors, answer, companies, hasList, ...props }: CustomerFieldsProps) {
	const { doubtful, posted, remembers, onFill = nothing, onEdit = nothing } = props;
	const [only = null] = companies.length === 1 ? companies : [];
	return (
		<>
			<Section title="Contact Principal">
				<ContactFields values={values} errors={errors} suggestions={answer.suggestions} />
			</Section>
			<Section title={hasList ? "Adresse de livraison des courriers" : "Adresse de livraison"} className="for-letters">
				<DeliveryFields values={values} errors={errors} company={only} onFill={onFill} onCity={onEdit} />
			</Section>
			<Section title="Adresse de Facturation">
				<BillingFields
					values={values}
					errors={errors}
					companies={companies}
					posted={posted}
					lastIdentity={remembers?.identity ?? null}
					found={answer.billingFound}
					onFill={onFill}
					onCity={onEdit}
				/>
				{hasList && <p className="mt-4 text-sm text-soft">Une seule facture, avec une ligne par extrait et votre référence.</p>}
			</Section>
			<Section title="Préférences">
				<PreferenceFields values={values} />
				{remembers && <RememberField remembered={remembers.stored} onDelete={remembers.onDelete} />}
			</Section>
			<Section title="Votre accord">
				<ConsentFields errors={errors} ticked={props.ticked ? values : undefined} />
				<PrivacyNote />
			</Section>
			{doubtful && <EmailDoubt field={doubtful} typed={values[doubtful]} meant={answer.suggestions[doubtful] ?? ""} />}
		</>
	);
}
