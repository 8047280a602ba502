import type { CompanyPreview } from "../../../companies/company.ts";
import { Section } from "../../../ui/page.tsx";
import type { BillingIdentity } from "../billing-identity.ts";
import type { FormPage, FormState } from "../form-state.ts";
import { BillingFields } from "./billing-fields.tsx";
import { ConsentFields } from "./consent-fields.tsx";
import { ContactFields } from "./contact-fields.tsx";
import { DeliveryFields } from "./delivery-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { PreferenceFields } from "./preference-fields.tsx";
import { PrivacyNote } from "./privacy-note.tsx";
import { RememberField } from "./remember-field.tsx";

interface CustomerFieldsProps extends Pick<FormPage, "values" | "hasList" | "suggestions" | "billingFound"> {
	errors: FormState["errors"];
	/** The companies of the extracts, each once; none before one is chosen. */
	companies: readonly CompanyPreview[];
	/** An extract is posted. */
	posted: boolean;
	/** What this browser remembers. */
	remembers: { stored: boolean; identity: BillingIdentity | null; onDelete: () => void };
	onFill: (texts: FieldTexts) => void;
	/** Called when fields have been filled in. */
	onEdit: (...fields: string[]) => void;
}

/** Who orders, where letters go, who is invoiced, and the consents: once for all extracts. */
export function CustomerFields({ values, errors, hasList, companies, posted, remembers, onFill, onEdit, ...found }: CustomerFieldsProps) {
	const [only = null] = companies.length === 1 ? companies : [];
	return (
		<>
			<Section title="Contact Principal">
				<ContactFields values={values} errors={errors} suggestions={found.suggestions} />
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
					lastIdentity={remembers.identity}
					found={found.billingFound}
					onFill={onFill}
					onCity={onEdit}
				/>
				{hasList && <p className="mt-4 text-sm text-soft">Une seule facture, avec une ligne par extrait et votre référence.</p>}
			</Section>
			<Section title="Préférences">
				<PreferenceFields values={values} />
				<RememberField remembered={remembers.stored} onDelete={remembers.onDelete} />
			</Section>
			<Section title="Votre accord">
				<ConsentFields errors={errors} ticked={values} />
				<PrivacyNote />
			</Section>
		</>
	);
}
