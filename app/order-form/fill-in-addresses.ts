import type { CompanyPreview } from "../companies/company.ts";
import { toBilling } from "./billing.ts";
import { clearUnusedFields, completeOrder, type OrderValues } from "./order-form.ts";

/**
 * Fills in the addresses that need no typing, for the order and the payment page.
 * @param company the company of the extract.
 */
export function fillInAddresses(values: OrderValues, company: CompanyPreview): OrderValues {
	const used = clearUnusedFields(values);
	return completeOrder(values.billTo === "ordered" ? { ...used, ...toBilling(company) } : used);
}
