import { type ReactNode, useEffect, useRef } from "react";
import { type CompanyPreview, formatHeadOffice } from "../../../companies/company.ts";
import { FieldMessages, SelectField } from "../../../ui/field.tsx";
import { Siren, VatNumber } from "../../../ui/siren.tsx";
import { getBillTo, isBillable, toBilling } from "../billing.ts";
import { type BillingIdentity, encodeIdentity, formatIdentity, lastBilling, lastBillingField } from "../billing-identity.ts";
import type { CompanySearchResult } from "../form-buttons.server.ts";
import type { BillTo, OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { AddressFields } from "./address-fields.tsx";
import { CompanyButton, CompanySearchField } from "./company-search-field.tsx";
import type { FieldTexts } from "./fill-fields.ts";
import { InvoicedCompanyFields } from "./invoiced-company-fields.tsx";
import { OptionalFields } from "./optional-fields.tsx";

interface BillingFieldsProps {
	values: OrderValues;
	errors: OrderErrors;
	/** The companies of the extracts, each once; none before one is chosen. */
	companies: readonly CompanyPreview[];
	/** An extract is posted: the invoice may have the letter's address. */
	posted: boolean;
	/** Whom the customer's last order was invoiced to: it comes first, chosen. */
	lastIdentity: BillingIdentity | null;
	/** Without JavaScript: the search for the company of the invoice. */
	found: CompanySearchResult | null;
	/** Fills in fields of the form. */
	onFill: (texts: FieldTexts) => void;
	/** Called when a city has been filled in. */
	onCity: (field: OrderField) => void;
}

/** Who the invoice is for. Nobody is chosen, unless the customer was invoiced before (docs/rules.md, R198). */
export function BillingFields({ values, errors, companies, lastIdentity, onFill, ...props }: BillingFieldsProps) {
	const { posted, found, onCity } = props;
	const group = useRef<HTMLFieldSetElement>(null);
	const billable = companies.filter(isBillable);
	const isMasked = companies.length > 0 && billable.length === 0;
	const made = getBillTo(values, posted);
	const last = made === null ? lastIdentity : null;
	const others = billable.filter(({ siren }) => siren !== last?.billingSiren);
	const only = last ? lastBilling : isMasked ? "other" : null;
	// a choice that has left the page is no longer made. The page says it: the properties are those of before the code arrived
	useEffect(() => {
		const getChosen = () => group.current?.querySelector<HTMLInputElement>("input:checked");
		const chosen = getChosen();
		if (chosen?.value === ("delivery" satisfies BillTo) && !chosen.form?.querySelector('[value="postal"]:checked')) chosen.checked = false;
		const next = getChosen() ? null : group.current?.querySelector<HTMLInputElement>(`input[value=${only}]`);
		if (next) next.checked = true;
	});
	const choice = (code: BillTo, label: ReactNode, hint: ReactNode, className = "") => (
		<BillToChoice code={code} checked={code === (made ?? only)} hint={hint} className={className}>
			{label}
		</BillToChoice>
	);
	return (
		<fieldset ref={group} id="billTo" tabIndex={-1} className="min-w-0" aria-describedby={errors.billTo && "billTo-error"}>
			<legend className="mb-2">À qui adressons-nous la facture&nbsp;?</legend>
			<FieldMessages name="billTo" label="" error={errors.billTo} />
			{last && <LastIdentity identity={last} />}
			{(!companies[0] || others[0]) && choice("ordered", "C’est ma société", <OwnCompany companies={billable} />)}
			{billable.length > 1 && (
				<SelectField
					name="ownCompany"
					label="Votre société"
					error={errors.ownCompany}
					defaultValue={values.ownCompany}
					className="for-choice mb-3"
				>
					<option value="">Choisissez votre société</option>
					{others.map(({ siren, name }) => (
						<option key={siren} value={siren}>
							{name}, {siren}
						</option>
					))}
				</SelectField>
			)}
			{choice(
				"delivery",
				"À mon nom, à l’adresse de livraison",
				"Elle reste à votre nom, même si le courrier a un autre destinataire.",
				"for-letters",
			)}
			{choice(
				"other",
				isMasked ? "J’indique l’adresse de facturation" : "Je commande pour quelqu’un d’autre",
				isMasked ? "L’adresse de cette entreprise n’est pas publique." : "Facture à votre nom ou à celui de votre société.",
			)}
			<div className="for-choice mt-3">
				<CompanyInvoice values={values} errors={errors} found={found} onFill={onFill} likely={companies.length > 1} />
				<div className="mt-3">
					<AddressFields kind="billing" values={values} errors={errors} onCity={onCity} />
				</div>
			</div>
		</fieldset>
	);
}

interface BillToChoiceProps {
	code: BillTo | typeof lastBilling;
	checked: boolean;
	hint?: ReactNode;
	className?: string;
	children: ReactNode;
}

function BillToChoice({ code, checked, hint, className = "", children }: BillToChoiceProps) {
	return (
		<label className={`flex min-h-11 items-start gap-3 py-2 ${className}`}>
			<input type="radio" name="billTo" value={code} defaultChecked={checked} className="radio mt-1" />
			<span className="min-w-0">
				{children}
				{hint && <span className="block text-sm text-soft">{hint}</span>}
			</span>
		</label>
	);
}

/**
 * The identity comes with its choice, so that what was typed for another stays where it is. It joins a page that is in use: it is chosen
 * only if no other choice was made meanwhile.
 */
function LastIdentity({ identity }: { identity: BillingIdentity }) {
	return (
		<>
			<input type="hidden" name={lastBillingField} value={encodeIdentity(identity)} />
			<BillToChoice code={lastBilling} checked={false} hint="Comme pour votre dernière commande.">
				<span className="break-words">{formatIdentity(identity)}</span>
			</BillToChoice>
		</>
	);
}

function OwnCompany({ companies: [company, ...others] }: { companies: readonly CompanyPreview[] }) {
	if (!company) return "La facture est au nom de l’entreprise commandée.";
	if (others.length > 0) return "Une des entreprises commandées.";
	const { billingVat } = toBilling(company);
	return (
		<>
			{company.name}, {formatHeadOffice(company)}{" "}
			<span className="block">
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

interface CompanyInvoiceProps extends Pick<BillingFieldsProps, "values" | "errors" | "found" | "onFill"> {
	/** Several companies are ordered: mostly by a firm. */
	likely: boolean;
}

/** The company of an invoice: found by its name, then filled in and still editable. */
function CompanyInvoice({ values, errors, found, onFill, likely }: CompanyInvoiceProps) {
	const given = [values.company, values.billingSiren, values.billingVat, errors.company, errors.billingSiren, errors.billingVat];
	return (
		<div id="facturation">
			<OptionalFields label="Facturer à ma société" needed={found !== null || given.some(Boolean)} likely={likely}>
				<div className="grid gap-5">
					<CompanySearchField
						id="billingQuery"
						label="Nom, SIREN ou SIRET de la société"
						hint="Nous remplissons le nom, l’adresse et le SIREN."
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
