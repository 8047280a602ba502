import type { CompanyPreview } from "../../companies/company.ts";
import type { BillingIdentity } from "./billing-identity.ts";
import { type BillTo, billToCodes, type OrderValues } from "./order-form.ts";

/** The billing fields of a company. Its VAT number is that of the DGFiP's list, never a calculated one (docs/rules.md, R107). */
export function toBilling({ name, siren, headOffice, vatNumber }: CompanyPreview): BillingIdentity {
	return {
		company: name,
		billingSiren: siren,
		billingVat: vatNumber ?? "",
		address: [headOffice?.street, headOffice?.complement].filter(Boolean).join(", "),
		postalCode: headOffice?.postalCode ?? "",
		city: headOffice?.city ?? "",
	};
}

/** Whether an invoice can be addressed to a company without typing: its name and its address in France are public. */
export const isBillable = ({ headOffice }: CompanyPreview): boolean =>
	Boolean(headOffice?.street && headOffice.postalCode && headOffice.city);

/**
 * @param posted a letter is ordered, whose address an invoice may have.
 * @returns the choice already made, as far as the form has it. Null: nobody is invoiced by default (docs/rules.md, R198).
 */
export function getBillTo({ billTo }: Pick<OrderValues, "billTo">, posted: boolean): BillTo | null {
	const chosen = billToCodes.find((code) => code === billTo) ?? null;
	return chosen === "delivery" && !posted ? null : chosen;
}
