import { type ReactNode, useEffect, useRef } from "react";
import { type CompanyPreview, formatHeadOffice } from "../../companies/company.ts";
import { FieldMessages } from "../../ui/field.tsx";
import { Siren, VatNumber } from "../../ui/siren.tsx";
import type { CompanySearchResult } from "../answer-order-form.server.ts";
import { isBillable, suggestBillTo, toBilling } from "../billing.ts";
import type { BillTo, OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { AddressFields } from "./address-fields.tsx";
import { CompanyButton, CompanySearchField } from "./company-search-field.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { InvoicedCompanyFields } from "./invoiced-company-fields.tsx";
import { OptionalFields } from "./optional-fields.tsx";

interface BillingFieldsProps {
	values: OrderValues;
	errors: OrderErrors;
	/** The company of the extract, once it is chosen. */
	company: CompanyPreview | null;
	/** The extract is posted: the invoice may have the letter's address. */
	posted: boolean;
	/** Without JavaScript: the search for the company of the invoice. */
	found: CompanySearchResult | null;
	/** Fills in fields of the form. */
	onFill: (texts: FieldTexts) => void;
	/** Called when a city has been filled in. */
	onCity: (field: OrderField) => void;
}

/** Who the invoice is for: the company of the extract with one tap, the letter's address, or another customer. */
export function BillingFields({ values, errors, company, posted, found, onFill, onCity }: BillingFieldsProps) {
	const group = useRef<HTMLFieldSetElement>(null);
	const billable = company === null || isBillable(company);
	const suggested = suggestBillTo(values, company);
	// a choice that has left the page is replaced
	useEffect(() => {
		const checked = group.current?.querySelector<HTMLInputElement>("input:checked")?.value;
		if (checked && (checked !== "delivery" || posted)) return;
		const next = group.current?.querySelector<HTMLInputElement>(`input[value=${billable ? "ordered" : "other"}]`);
		if (next) next.checked = true;
	}, [posted, billable]);
	const choice = (code: BillTo, label: ReactNode, className = "") => (
		<BillToChoice code={code} checked={code === suggested} className={className}>
			{label}
		</BillToChoice>
	);
	return (
		<>
			<fieldset ref={group} id="billTo" aria-describedby={errors.billTo && "billTo-error"}>
				<legend className="sr-only">Facturer à</legend>
				<FieldMessages name="billTo" label="" error={errors.billTo} />
				{choice("delivery", "Facturer à l’adresse de livraison", "for-letter")}
				{billable && choice("ordered", <OrderedCompany company={company} />)}
				{choice("other", "Facturer à une autre adresse")}
			</fieldset>
			<div className="for-other-invoice mt-3">
				<CompanyInvoice values={values} errors={errors} found={found} onFill={onFill} />
				<div className="mt-3">
					<AddressFields kind="billing" values={values} errors={errors} onCity={onCity} />
				</div>
			</div>
		</>
	);
}

interface BillToChoiceProps {
	code: BillTo;
	checked: boolean;
	className: string;
	children: ReactNode;
}

export function BillToChoice({ code, checked, className, children }: BillToChoiceProps) {
	return (
		<label className={`flex min-h-11 items-start gap-3 py-2 ${className}`}>
			<input type="radio" name="billTo" value={code} defaultChecked={checked} className="radio mt-1" />
			<span className="min-w-0">{children}</span>
		</label>
	);
}

function OrderedCompany({ company }: { company: CompanyPreview | null }) {
	if (!company) return "Facturer à l’entreprise commandée";
	const { billingVat } = toBilling(company);
	return (
		<>
			Facturer à <strong>{company.name}</strong>, {formatHeadOffice(company)}
			<span className="block text-sm text-soft">
				SIREN <Siren value={company.siren} />
				{billingVat && (
					<>
						, TVA <VatNumber value={billingVat} />
					</>
				)}
			</span>
		</>
	);
}

type CompanyInvoiceProps = Pick<BillingFieldsProps, "values" | "errors" | "found" | "onFill">;

/** The company of an invoice: found by its name, then filled in and still editable. */
export function CompanyInvoice({ values, errors, found, onFill }: CompanyInvoiceProps) {
	const given = [values.company, values.billingSiren, values.billingVat, errors.company, errors.billingSiren, errors.billingVat];
	return (
		<div id="facturation">
			<OptionalFields label="Je commande pour une société" needed={found !== null || given.some(Boolean)}>
				<div className="grid gap-5">
					<CompanySearchField
						id="billingQuery"
						label="Nom, SIREN ou SIRET de la société"
						hint="Nous remplissons le nom, l’adresse et les numéros."
						anchor="facturation"
						intent="find-billing-company"
						found={found}
						onPick={(company) => onFill(toBilling(company))}
						renderResult={(company) => <CompanyButton company={company} intent={`bill:${company.siren}`} anchor="facturation" />}
					/>
					<InvoicedCompanyFields values={values} errors={errors} />
				</div>
			</OptionalFields>
		</div>
	);
}
