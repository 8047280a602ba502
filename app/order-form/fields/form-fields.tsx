import type { Deadlines } from "../../catalogue/deadlines.ts";
import { isPosted, type ServiceCode } from "../../catalogue/services.ts";
import { type CompanyPreview, getOrderable } from "../../companies/company.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import { button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import type { BillingIdentity } from "../billing-identity.ts";
import type { FormState } from "../form-state.ts";
import type { OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { ChangeSelection } from "../order-summary.tsx";
import { CompanyPicker } from "./company-picker.tsx";
import { CustomerFields } from "./customer-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { ServiceSection } from "./service-section.tsx";

export interface FormFieldsProps {
	values: OrderValues;
	/** The last answer of the server: what it found, and what it doubts. */
	answer: Pick<FormState, "found" | "billingFound" | "suggestions"> & { submitted: boolean };
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
				<button type="submit" name="intent" value="several" formNoValidate className={button("quiet", "-mt-4 mb-6")}>
					Ajouter une autre entreprise
				</button>
			)}
			{fixed && company && <CompanyNoticeList notices={company.notices} className="mb-8 lg:hidden" />}
			<CustomerFields
				values={values}
				errors={errors}
				answer={answer}
				doubtful={doubtful}
				companies={orderable ? [orderable] : []}
				hasList={false}
				posted={isPosted(service)}
				ticked={answer.submitted}
				remembers={{ stored: remembered, identity: props.lastIdentity, onDelete: props.onDeleteRemembered }}
				onFill={onFill}
				onEdit={onEdit}
			/>
		</>
	);
}
