import { typedFromEntries } from "../../../server/types/objects.ts";
import { termsTick } from "../../catalogue/text-versions.ts";
import { readAddress } from "../../companies/addresses/read-address.ts";
import { compactVatNumber } from "../../companies/vat-number.ts";
import { cleanEmail } from "../../mail/clean-email.ts";
import { trimPhone } from "../../ui/forms/phone.ts";
import { readLine } from "../../ui/forms/text.ts";
import { lastBilling, lastBillingField } from "./billing-identity.ts";
import {
	type Address,
	billingAddress,
	deliveryAddress,
	isBillingField,
	type OrderField,
	type OrderValues,
	orderFields,
} from "./order-form.ts";

const boxes: readonly OrderField[] = ["newsletter", "acceptTerms", "waiveWithdrawal"];
const numbers: readonly OrderField[] = ["siren", "ownCompany", "billingSiren"];

/**
 * Reads the fields of a form or a query; an absent field is an empty text. Blanks are removed from numbers.
 * Links of the earlier site have `billingCompany` for `company`, and `false` for an unticked box.
 */
export function readOrderValues(source: FormData | URLSearchParams): OrderValues {
	const isLast = source.get("billTo") === lastBilling;
	const last = isLast ? new URLSearchParams(String(source.get(lastBillingField) ?? "")) : source;
	const get = (field: OrderField) => (isBillingField(field) ? last : source).get(field);
	const readAt = ([street, postalCode, city]: Address): Partial<OrderValues> => {
		const read = readAddress({ street: get(street), postalCode: get(postalCode), city: get(city) });
		return { [street]: read.street, [postalCode]: read.postalCode, [city]: read.city };
	};
	const addresses = { ...readAt(billingAddress), ...readAt(deliveryAddress) };
	const text = (field: OrderField) => {
		if (field === "billTo" && isLast) return "other";
		const trimmed = readLine(get(field) ?? (field === "company" ? last.get("billingCompany") : null));
		if (field === "email" || field === "deliveryEmail") return cleanEmail(trimmed);
		if (field === "phone") return trimPhone(trimmed);
		if (field === "acceptTerms" && trimmed === termsTick) return trimmed;
		if (boxes.includes(field)) return /^(on|true)$/.test(trimmed) ? "on" : "";
		if (field === "billingVat") return compactVatNumber(trimmed);
		return addresses[field] ?? (numbers.includes(field) ? trimmed.replace(/\s/g, "") : trimmed);
	};
	return typedFromEntries(orderFields.map((field) => [field, text(field)] as const));
}
