import { isPosted, type ServiceCode } from "../catalogue/services.ts";
import { checkOrder, checkValue, clearUnusedFields, completeOrder, type OrderErrors, type OrderValues } from "../order-form/order-form.ts";

/** The values as those of a letter, if one is ordered: its address counts for the whole purchase. */
const asOneOrder = (values: OrderValues, ordered: readonly ServiceCode[]): OrderValues => ({
	...values,
	service: ordered.find(isPosted) ?? ordered[0] ?? values.service,
	// each line has its own
	siren: "000000000",
	// the invoice of several companies is to none of them
	billTo: values.billTo === "ordered" ? "other" : values.billTo,
});

/** @returns the errors of contact, addresses and consents beside the services that are ordered. */
export function checkPurchaseValues(values: OrderValues, ordered: readonly ServiceCode[]): OrderErrors {
	const errors = checkOrder(asOneOrder(values, ordered));
	const second = ordered.some((service) => !isPosted(service)) && checkValue("deliveryEmail", { ...values, service: "standard" });
	return second ? { ...errors, deliveryEmail: second } : errors;
}

/** @returns the values without the fields that do not count for these services. */
export function clearUnusedOfPurchase(values: OrderValues, ordered: readonly ServiceCode[]): OrderValues {
	const sendsPdf = ordered.some((service) => !isPosted(service));
	const { service } = values;
	return { ...clearUnusedFields(asOneOrder(values, ordered)), service, siren: "", deliveryEmail: sendsPdf ? values.deliveryEmail : "" };
}

/** The values of the whole purchase with all addresses filled in. */
export function completePurchase(values: OrderValues, ordered: readonly ServiceCode[]): OrderValues {
	const used = clearUnusedOfPurchase(values, ordered);
	return { ...completeOrder(asOneOrder(used, ordered)), service: values.service, siren: "" };
}

const letterFields = ["deliveryName", "deliveryComplement", "deliveryAddress", "deliveryPostalCode", "deliveryCity"] as const;

/** The values of one order of a completed purchase: a PDF has no address of a letter, and a letter no second e-mail address. */
export function toOrderValues(completed: OrderValues, { service, siren }: { service: ServiceCode; siren: string }): OrderValues {
	const values = { ...completed, service, siren };
	for (const field of isPosted(service) ? (["deliveryEmail"] as const) : letterFields) values[field] = "";
	return values;
}
