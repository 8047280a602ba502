import { isPosted, suggestedService } from "../../../catalogue/services.ts";
import { type CompanyPreview, getOrderable } from "../../../companies/company.ts";
import { CompanyNoticeList } from "../../../companies/company-notice-list.tsx";
import { button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/page.tsx";
import type { BillingIdentity } from "../billing-identity.ts";
import { EmailDoubt } from "../email-doubt.tsx";
import type { FormPage, FormState } from "../form-state.ts";
import { listCompanies } from "../form-values.ts";
import { isOrderable } from "../lines/checked-line.ts";
import { ListFields } from "../lines/list-fields.tsx";
import { ChangeSelection } from "../order-summary.tsx";
import { ServiceChoice } from "../service-choice.tsx";
import type { ChosenServices } from "../use-services.ts";
import { CompanyPicker } from "./company-picker.tsx";
import { CustomerFields } from "./customer-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { FormTotals } from "./form-summary.tsx";
import { ServiceSection } from "./service-section.tsx";

export interface FormFieldsProps {
	/** The content of the form, and what the server says of it. */
	page: FormPage;
	errors: FormState["errors"];
	/** Only this address, whose domain looks mistyped, stopped the order. */
	doubtful: FormState["doubtful"];
	/** The company chosen so far, of a form without a list; one without an extract is shown with its notice. */
	company: CompanyPreview | null;
	/** The company is in the page's URL and cannot be changed. */
	fixed: boolean;
	services: ChosenServices;
	/** False: the service is only suggested. */
	serviceConfirmed: boolean;
	/** Details of an earlier order are stored in this browser. */
	remembered: boolean;
	/** Whom the customer's last order was invoiced to. */
	lastIdentity: BillingIdentity | null;
	onPick: (company: CompanyPreview | null) => void;
	onConfirmService: () => void;
	onFill: (texts: FieldTexts) => void;
	/** Called when fields have been filled in. */
	onEdit: (...fields: string[]) => void;
	onDeleteRemembered: () => void;
}

/** The fields of the order form: its extracts, then who orders and who is invoiced, to the consents. */
export function FormFields(props: FormFieldsProps) {
	const { page, errors, doubtful, services, remembered, lastIdentity, onFill, onEdit, onDeleteRemembered } = props;
	const only = getOrderable(props.company);
	return (
		<>
			{page.hasList ? <ListSections {...props} /> : <OnlyLine {...props} />}
			<CustomerFields
				{...page}
				errors={errors}
				companies={page.hasList ? listCompanies(page.lines.filter(isOrderable)) : only ? [only] : []}
				posted={services.ordered.some((service) => service !== null && isPosted(service))}
				remembers={{ stored: remembered, identity: lastIdentity, onDelete: onDeleteRemembered }}
				onFill={onFill}
				onEdit={onEdit}
			/>
			{page.hasList && (
				<section id="total" aria-label="Résumé de commande" className="mb-6 scroll-mt-4 lg:hidden">
					<FormTotals services={services} promises={page.promises} anchor="total" />
				</section>
			)}
			{doubtful && <EmailDoubt field={doubtful} typed={page.values[doubtful]} meant={page.suggestions[doubtful] ?? ""} />}
		</>
	);
}

/** The lines in their list, and the service of those that have none of their own. */
function ListSections({ page, errors, services }: FormFieldsProps) {
	return (
		<>
			<ListFields {...page} common={services.common} />
			<Section title="Service commun">
				<ServiceChoice chosen={services.common} deadlines={page.deadlines} error={errors.service} />
				<p className="mt-3 text-sm text-soft">
					Il s’applique aux lignes sans choix particulier. Pour chaque service, un e-mail vous prévient quand tout est prêt ou posté.
				</p>
			</Section>
		</>
	);
}

/** The only line, open: its company and its service. */
function OnlyLine({ page, errors, company, fixed, services, serviceConfirmed, onPick, onConfirmService }: FormFieldsProps) {
	const orderable = getOrderable(company);
	const service = services.common ?? suggestedService;
	return (
		<>
			{!fixed && (
				<Section id="entreprise" title="Entreprise">
					<CompanyPicker chosen={company} found={page.found} error={errors.siren} onPick={onPick} />
				</Section>
			)}
			<ServiceSection
				company={fixed ? company : null}
				service={service}
				confirmed={serviceConfirmed}
				deadlines={page.deadlines}
				error={errors.service}
				onChoose={onConfirmService}
			>
				{fixed && orderable && <ChangeSelection siren={orderable.siren} service={service} />}
			</ServiceSection>
			{orderable && (
				<button type="submit" name="intent" value="several" formNoValidate className={button("quiet", "-mt-4 mb-6")}>
					Ajouter une autre entreprise
				</button>
			)}
			{fixed && company && <CompanyNoticeList notices={company.notices} className="mb-8 lg:hidden" />}
		</>
	);
}
