import type { CompanyPreview } from "../companies/company.ts";
import { calculateVatNumber, parseSiren } from "../companies/siren.ts";
import { type BillTo, isLetter, type OrderValues } from "./order-form.ts";

/** The billing fields of a company. Sole traders often have no VAT number: none is suggested for them. */
export function toBilling({ name, siren, headOffice, eligibility }: CompanyPreview) {
	const parsed = parseSiren(siren);
	return {
		company: name,
		billingSiren: siren,
		billingVat: parsed !== null && eligibility === "kbis" ? calculateVatNumber(parsed) : "",
		address: [headOffice?.street, headOffice?.complement].filter(Boolean).join(", "),
		postalCode: headOffice?.postalCode ?? "",
		city: headOffice?.city ?? "",
	};
}

/** Whether an invoice can be addressed to a company without typing: its name and its address in France are public. */
export const isBillable = ({ headOffice }: CompanyPreview): boolean =>
	Boolean(headOffice?.street && headOffice.postalCode && headOffice.city);

/** @returns the choice already made, or the most likely one: a typed address, a letter's address, or the company of the extract. */
export function suggestBillTo(values: OrderValues, company: CompanyPreview | null): BillTo {
	const billable = company === null || isBillable(company);
	const letter = isLetter(values);
	if (values.billTo === "other" || (values.billTo === "ordered" && billable) || (values.billTo === "delivery" && letter))
		return values.billTo;
	if (values.address !== "" || values.company !== "") return "other";
	if (letter) return "delivery";
	return billable ? "ordered" : "other";
}
