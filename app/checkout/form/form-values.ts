import { isPosted, type ServiceCode } from "../../catalogue/services.ts";
import type { CompanyPreview } from "../../companies/company.ts";
import { isBillable, toBilling } from "./billing.ts";
import {
	billToRequired,
	checkOwnForm,
	clearUnusedFields,
	completeOrder,
	getServices,
	letterFields,
	type OrderErrors,
	type OrderedServices,
	type OrderValues,
	purchaseFields,
} from "./order-form.ts";

/** What is ordered: the service and the company of each line. */
export type OrderedParts = readonly { service: ServiceCode | null; company: CompanyPreview }[];

/** Without any line, the common service counts. */
function listServices(values: OrderValues, ordered: OrderedParts): OrderedServices {
	const chosen = ordered.flatMap(({ service }) => service ?? []);
	return chosen.length > 0 ? chosen : getServices(values);
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
export function checkFormValues(values: OrderValues, ordered: OrderedParts): OrderErrors {
	const errors = checkOwnForm(values, listServices(values, ordered), purchaseFields);
	return values.billTo === "ordered" && ordered.length > 0 ? { ...errors, ...checkOwnCompany(values, ordered) } : errors;
}

/** The customer's own company is invoiced: it must be known, and its address public. */
function checkOwnCompany(values: OrderValues, ordered: OrderedParts): OrderErrors {
	if (findOwnCompany(values, ordered) !== null) return {};
	const companies = listCompanies(ordered);
	if (companies.filter(isBillable).length > 1) return { ownCompany: "Choisissez votre société" };
	return { billTo: companies.length === 1 ? privateAddress : billToRequired };
}

const privateAddress = "L’adresse de cette entreprise n’est pas publique\u00a0: saisissez l’adresse de facturation.";

/** @returns the values without the fields that do not count for what is ordered. */
export const clearUnusedValues = (values: OrderValues, ordered: OrderedParts): OrderValues => ({
	...clearUnusedFields(values, listServices(values, ordered)),
	siren: "",
});

/** The values of the whole purchase with all addresses filled in. */
export function completeValues(values: OrderValues, ordered: OrderedParts): OrderValues {
	const used = clearUnusedValues(values, ordered);
	const own = used.billTo === "ordered" ? findOwnCompany(used, ordered) : null;
	return completeOrder({ ...used, ...(own && toBilling(own)) }, listServices(values, ordered));
}

/**
 * The values of one order of a completed purchase: a PDF has no address of a letter, and a letter no second e-mail address, unless a link
 * or the API gives one.
 */
export function toOrderValues(completed: OrderValues, { service, siren }: { service: ServiceCode; siren: string }): OrderValues {
	const values = { ...completed, service, siren };
	if (!isPosted(service)) for (const field of letterFields) values[field] = "";
	else if (completed.billTo !== "") values.deliveryEmail = "";
	return values;
}
