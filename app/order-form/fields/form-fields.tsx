import type { Deadlines } from "../../catalogue/deadlines.ts";
import { isPosted, type ServiceCode } from "../../catalogue/services.ts";
import { type CompanyPreview, getOrderable } from "../../companies/company.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import { button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import type { OrderFormState } from "../answer-order-form.server.ts";
import type { BillingIdentity } from "../billing-identity.ts";
import { EmailDoubt } from "../email-doubt.tsx";
import type { OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { ChangeSelection } from "../order-summary.tsx";
import { severalIntent } from "../several-intent.ts";
import { BillingFields } from "./billing-fields.tsx";
import { CompanyPicker } from "./company-picker.tsx";
import { ConsentFields } from "./consent-fields.tsx";
import { ContactFields } from "./contact-fields.tsx";
import { DeliveryFields } from "./delivery-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { PreferenceFields } from "./preference-fields.tsx";
import { PrivacyNote } from "./privacy-note.tsx";
import { RememberField } from "./remember-field.tsx";
import { ServiceSection } from "./service-section.tsx";

export interface FormFieldsProps {
	values: OrderValues;
	/** The last answer of the server: what it found, and what it doubts. */
	answer: Pick<OrderFormState, "found" | "billingFound" | "suggestions"> & { submitted: boolean };
	/** Only this address, whose domain looks mistyped, stopped the order. */
	doubtful: OrderField | null;
	errors: OrderErrors;
	/** The company chosen so far; one without an extract is shown with its notice. */
	company: CompanyPreview | null;
	/** The company is in the page's URL and cannot be changed. */
	fixed: boolean;
	service: ServiceCode;
	serviceConfirmed: boolean;
	deadlines: Deadlines;
	/** Details of an earlier order are stored in this browser. */
	remembered: boolean;
	/** Whom the customer's last order was invoiced to. */
	lastIdentity: BillingIdentity | null;
	onPick: (company: CompanyPreview | null) => void;
	onChooseService: (code: ServiceCode) => void;
	onFill: (texts: FieldTexts) => void;
	/** Called when fields have been filled in. */
	onEdit: (...fields: string[]) => void;
	onDeleteRemembered: () => void;
}

/** The fields of the order form, from company and service to the consents. */
export default function FormFields(props: FormFieldsProps) {
	const { values, answer, doubtful, errors, company, fixed, service, serviceConfirmed, deadlines, remembered, onFill, onEdit } = props;
	const orderable = getOrderable(company);
	return (
		<>
			{!fixed && (
				<Section id="entreprise" title="Entreprise">
					<CompanyPicker chosen={company} found={answer.found} error={errors.siren} onPick={props.onPick} />
				</Section>
			)}
			<ServiceSection
				company={fixed ? company : null}
				service={service}
				confirmed={serviceConfirmed}
				deadlines={deadlines}
				error={errors.service}
				onChoose={props.onChooseService}
			>
				{fixed && orderable && <ChangeSelection siren={orderable.siren} service={service} />}
			</ServiceSection>
			{orderable && (
				<button type="submit" name="intent" value={severalIntent} formNoValidate className={button("quiet", "-mt-4 mb-6")}>
					Ajouter une autre entreprise
				</button>
			)}
			{fixed && company && <CompanyNoticeList notices={company.notices} className="mb-8 lg:hidden" />}
			<Section title="Contact Principal">
				<ContactFields values={values} errors={errors} suggestions={answer.suggestions} />
			</Section>
			<Section title="Adresse de livraison" className="for-letter">
				<DeliveryFields values={values} errors={errors} company={orderable} onFill={onFill} onCity={onEdit} />
			</Section>
			<Section title="Adresse de Facturation">
				<BillingFields
					values={values}
					errors={errors}
					companies={orderable ? [orderable] : []}
					posted={isPosted(service)}
					letterClass="for-letter"
					lastIdentity={props.lastIdentity}
					found={answer.billingFound}
					onFill={onFill}
					onCity={onEdit}
				/>
			</Section>
			<Section title="Préférences">
				<PreferenceFields values={values} />
				<RememberField remembered={remembered} onDelete={props.onDeleteRemembered} />
			</Section>
			<Section title="Votre accord">
				<ConsentFields errors={errors} ticked={answer.submitted ? values : undefined} />
				<PrivacyNote />
			</Section>
			{doubtful && <EmailDoubt field={doubtful} typed={values[doubtful]} meant={answer.suggestions[doubtful] ?? ""} />}
		</>
	);
}
