import { isPosted, type ServiceCode } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { isBillable, toBilling } from "../order-form/billing.ts";
import {
	billToRequired,
	checkOwnForm,
	checkValue,
	clearUnusedFields,
	completeOrder,
	type OrderErrors,
	type OrderValues,
} from "../order-form/order-form.ts";

/** What is ordered: the service and the company of each line. */
export type OrderedParts = readonly { service: ServiceCode | null; company: CompanyPreview }[];

const listServices = (ordered: OrderedParts): ServiceCode[] => ordered.flatMap(({ service }) => service ?? []);

/** The values as those of a letter, if one is ordered: its address counts for the whole purchase. */
function asOneOrder(values: OrderValues, ordered: OrderedParts): OrderValues {
	const chosen = listServices(ordered);
	// each line has its own company
	return { ...values, service: chosen.find(isPosted) ?? chosen[0] ?? values.service, siren: "000000000" };
}

/** The companies of a purchase, each once. */
export const listCompanies = (ordered: readonly { company: CompanyPreview }[]): CompanyPreview[] => [
	...new Map(ordered.map(({ company }) => [company.siren, company])).values(),
];

/** The customer's own company among those ordered: the only one, or the chosen one. */
function findOwnCompany({ ownCompany }: OrderValues, ordered: OrderedParts): CompanyPreview | null {
	const billable = listCompanies(ordered).filter(isBillable);
	return (billable.length === 1 ? billable[0] : billable.find(({ siren }) => siren === ownCompany)) ?? null;
}

/** @returns the errors of contact, addresses and consents beside what is ordered. */
export function checkPurchaseValues(values: OrderValues, ordered: OrderedParts): OrderErrors {
	const errors = checkOwnForm(asOneOrder(values, ordered));
	const sendsPdf = listServices(ordered).some((service) => !isPosted(service));
	const second = sendsPdf && checkValue("deliveryEmail", { ...values, service: "standard" });
	if (second) errors.deliveryEmail = second;
	if (values.billTo === "ordered" && findOwnCompany(values, ordered) === null) {
		const isChoice = listCompanies(ordered).filter(isBillable).length > 1;
		errors[isChoice ? "ownCompany" : "billTo"] = isChoice ? "Choisissez votre société" : billToRequired;
	}
	return errors;
}

/** @returns the values without the fields that do not count for what is ordered. */
export function clearUnusedOfPurchase(values: OrderValues, ordered: OrderedParts): OrderValues {
	const sendsPdf = listServices(ordered).some((service) => !isPosted(service));
	const { service } = values;
	return { ...clearUnusedFields(asOneOrder(values, ordered)), service, siren: "", deliveryEmail: sendsPdf ? values.deliveryEmail : "" };
}

/** The values of the whole purchase with all addresses filled in. */
export function completePurchase(values: OrderValues, ordered: OrderedParts): OrderValues {
	const used = clearUnusedOfPurchase(values, ordered);
	const own = used.billTo === "ordered" ? findOwnCompany(used, ordered) : null;
	return { ...completeOrder({ ...asOneOrder(used, ordered), ...(own && toBilling(own)) }), service: values.service, siren: "" };
}

const letterFields = ["deliveryName", "deliveryComplement", "deliveryAddress", "deliveryPostalCode", "deliveryCity"] as const;

/** The values of one order of a completed purchase: a PDF has no address of a letter, and a letter no second e-mail address. */
export function toOrderValues(completed: OrderValues, { service, siren }: { service: ServiceCode; siren: string }): OrderValues {
	const values = { ...completed, service, siren };
	for (const field of isPosted(service) ? (["deliveryEmail"] as const) : letterFields) values[field] = "";
	return values;
}
