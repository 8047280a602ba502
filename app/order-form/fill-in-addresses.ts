import type { CompanyPreview } from "../companies/company.ts";
import { toBilling } from "./billing.ts";
import { clearUnusedFields, completeOrder, isLetter, type OrderValues } from "./order-form.ts";

/**
 * Fills in the addresses that need no typing, for the order and the payment page.
 * @param company the company of the extract.
 */
export function fillInAddresses(values: OrderValues, company: CompanyPreview): OrderValues {
	const used = clearUnusedFields(values);
	return completeOrder(values.billTo === "ordered" ? { ...used, ...toBilling(company) } : used);
}

/**
 * Fills in the form from a link, as the payment page understands it: a single address is that of the letter and of the invoice
 * (docs/rules.md, R8). Who is invoiced follows from what the link says of it; without that, the form asks.
 */
export function fillInLink(link: OrderValues): OrderValues {
	const values = { ...link, billTo: "" };
	const isTyped = values.company !== "" || values.address !== "";
	if (isLetter(values) && values.deliveryAddress !== "" && !isTyped) return { ...values, billTo: "delivery" };
	if (isLetter(values) && values.deliveryAddress === "")
		Object.assign(values, { deliveryAddress: values.address, deliveryPostalCode: values.postalCode, deliveryCity: values.city });
	return isTyped ? { ...values, billTo: "other" } : values;
}
