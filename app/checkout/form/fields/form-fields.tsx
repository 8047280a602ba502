import { type ReactNode, type RefObject, useRef, useState } from "react";
import { type Deadlines, describeArrival } from "../../../catalogue/deadlines.ts";
import { formatEuros } from "../../../catalogue/money.ts";
import { isPosted, type ServiceCode, services, suggestedService } from "../../../catalogue/services.ts";
import { type CompanyPreview, getOrderable } from "../../../companies/company.ts";
import { CompanyNoticeList } from "../../../companies/company-notice-list.tsx";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { FieldMessages } from "../../../ui/field.tsx";
import { KeepTyped } from "../../../ui/keep-typed.tsx";
import { Section } from "../../../ui/page.tsx";
import type { BillingIdentity } from "../billing-identity.ts";
import { EmailDoubt } from "../email-doubt.tsx";
import type { FormPage, FormState } from "../form-state.ts";
import { listCompanies } from "../form-values.ts";
import { isOrderable } from "../lines/checked-line.ts";
import { ListFields } from "../lines/list-fields.tsx";
import { ChangeSelection, PriceBreakdown } from "../order-summary.tsx";
import { pdfIntent, pdfService } from "../pdf-line.ts";
import { ServiceRows } from "../service-rows.tsx";
import type { ListPlace } from "../use-list-place.ts";
import type { ChosenServices } from "../use-services.ts";
import { CompanyPicker } from "./company-picker.tsx";
import { CustomerFields } from "./customer-fields.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { FormTotals } from "./form-summary.tsx";

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
	/** Where a list was changed. */
	place: RefObject<ListPlace | null>;
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
export function FormFields({ isFromServer, ...props }: FormFieldsProps & { isFromServer: boolean }) {
	return (
		<KeepTyped isFromServer={isFromServer}>
			<AllFields {...props} />
		</KeepTyped>
	);
}

function AllFields(props: FormFieldsProps) {
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
function ListSections({ page, errors, services, place }: FormFieldsProps) {
	const rows = (
		<>
			<ServiceRows
				brief
				legend="Service commun"
				chosen={services.common}
				deadlines={page.deadlines}
				error={errors.service && "service-error"}
			/>
			<p className="mt-2 text-sm text-soft">
				Ce service s’applique aux lignes sans choix particulier. Vous recevez un e-mail quand tout est prêt.
			</p>
		</>
	);
	// as the page was sent: a choice inside of the fold must not draw it anew
	const isUnused = page.values.service === "" && page.lines.every(({ line }) => line.service !== "") && !errors.service;
	return (
		<>
			<ListFields {...page} place={place} />
			{isUnused && page.lines.length > 0 ? (
				<Disclosure title="Choisir un service commun" className="border-y mb-10">
					<div className="py-3">{rows}</div>
				</Disclosure>
			) : (
				<Section id="service" title="Service commun">
					<FieldMessages name="service" label="" error={errors.service} />
					{rows}
				</Section>
			)}
		</>
	);
}

const addPdf = (
	<span>
		Recevoir aussi le PDF par <span className="whitespace-nowrap">e-mail</span>, +{formatEuros(services[pdfService].price)}
	</span>
);

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
			{orderable && page.deadlines[pdfService].open && (
				<p className="for-letters -mt-4 mb-6">
					<button type="submit" name="intent" value={pdfIntent} formNoValidate className={button("quiet", "text-left")}>
						{addPdf}
					</button>
				</p>
			)}
			{orderable && (
				<button type="submit" name="intent" value="several" formNoValidate className={button("quiet", "-mt-4 mb-6")}>
					Ajouter une autre entreprise
				</button>
			)}
			{fixed && company && <CompanyNoticeList notices={company.notices} className="mb-8 lg:hidden" />}
		</>
	);
}

interface ServiceSectionProps {
	/** The company of the URL; null on the form that asks for it. */
	company: CompanyPreview | null;
	service: ServiceCode;
	/** False: the service is only suggested, and the choice is open. */
	confirmed: boolean;
	deadlines: Deadlines;
	/** Why the chosen service cannot be ordered. */
	error: string | undefined;
	onChoose: () => void;
	children?: ReactNode;
}

/** What is ordered, in one line: company, service, price and deadline. It opens the choice of the service. */
function ServiceSection({ company, service, confirmed, deadlines, error, onChoose, children }: ServiceSectionProps) {
	const [open, setOpen] = useState(!confirmed || error !== undefined);
	const usesPointer = useRef(false);
	return (
		<details
			open={open}
			onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
			className="group mb-6 rounded-lg sm:mb-8 border border-line bg-sheet"
		>
			<summary className="flex items-center justify-between gap-4 px-4 py-3">
				<span className="min-w-0">
					<span className="block text-sm text-soft">{company ? "Votre commande" : confirmed ? "Service" : "Service à confirmer"}</span>
					{company && (
						<strong>
							<span className="company-name">{company.name}</span>
							{" · "}
						</strong>
					)}
					<span className="figures">{`${services[service].name} · ${formatEuros(services[service].price)} · ${describeArrival(service, deadlines[service])}`}</span>
				</span>
				<span className="link inline-flex min-h-11 items-center font-semibold">
					<span className="group-open:hidden">Modifier</span>
					<span className="hidden group-open:inline">Fermer</span>
				</span>
			</summary>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: only detects how a choice is made: arrow keys may go on, a tap is the last act */}
			<div
				id="service"
				className="px-4 pb-4"
				onPointerDown={() => {
					usesPointer.current = true;
				}}
				onKeyDown={() => {
					usesPointer.current = false;
				}}
			>
				<FieldMessages name="service" label="" error={error} />
				<div className="max-sm:-mx-[17px]">
					<ServiceRows
						recommends
						chosen={service}
						deadlines={deadlines}
						error={error && "service-error"}
						onChoose={() => {
							onChoose();
							if (usesPointer.current) setOpen(false);
						}}
					/>
				</div>
				<div className="mt-4 lg:hidden">
					<PriceBreakdown service={service} />
				</div>
				{children}
			</div>
		</details>
	);
}
