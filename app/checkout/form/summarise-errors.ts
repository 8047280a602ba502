import { isPosted, type ServiceCode } from "../../catalogue/services.ts";
import { capitalise } from "../../ui/capitalise.ts";
import { addressRules } from "./billing-rules.ts";
import type { FormState } from "./form-state.ts";
import { billingAddress, deliveryAddress } from "./order-form.ts";

/**
 * The errors of a form for the summary above it. Where a letter is ordered, the form has two addresses, and each error names its own; beside
 * the fields, the agreed sentences stay (docs/rules.md, R52).
 */
export function summariseErrors(errors: FormState["errors"], ordered: readonly (ServiceCode | null)[]): FormState["errors"] {
	const summary = { ...errors };
	if (!ordered.some((service) => service !== null && isPosted(service))) return summary;
	for (const [fields, name] of addresses)
		for (const field of fields) {
			const error = errors[field];
			if (error)
				summary[field] = error === addressRules.address.required ? `Indiquez l’${name}` : `${capitalise(name)}\u00a0: ${lower(error)}`;
		}
	return summary;
}

const addresses = [
	[billingAddress, "adresse de facturation"],
	[deliveryAddress, "adresse de livraison"],
] as const;

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
