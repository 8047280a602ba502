import { readSiren } from "../../companies/company-numbers.ts";
import { hasValidKey } from "../../companies/siren.ts";
import { getSirenOfVatNumber, parseVatNumber } from "../../companies/vat-number.ts";
import type { FieldRule } from "../../ui/forms/form-rules.ts";

/** The rules of a postal address, whose parts are required together. */
export const addressRules = {
	address: { required: "L'adresse est requise", maxLength: 200 },
	postalCode: {
		required: "Le code postal est requis",
		check: (text) => (/^\d{5}$/.test(text) ? undefined : "Code postal invalide (5 chiffres)"),
	},
	city: { required: "La ville est requise" },
} satisfies Record<string, FieldRule>;

/** The rules of the invoiced customer: on the order form, and where an invoice is corrected. */
export const billingRules = {
	company: { required: "Le nom de la société est requis", maxLength: 200 },
	billingSiren: {
		maxLength: 60,
		check: (text) => {
			const siren = readSiren(text);
			return siren && hasValidKey(siren) ? undefined : "SIREN invalide (9 chiffres)";
		},
	},
	billingVat: {
		maxLength: 60,
		check: (text) => (parseVatNumber(text) ? undefined : "Numéro de TVA invalide (exemple\u00a0: FR 27 552 032 534)"),
	},
	...addressRules,
} satisfies Record<string, FieldRule>;

/** The sentence for a VAT number whose SIREN is another company's, or undefined. */
export function checkVatOfSiren({ billingSiren, billingVat }: { billingSiren: string; billingVat: string }): string | undefined {
	const siren = readSiren(billingSiren);
	const vat = parseVatNumber(billingVat);
	const other = vat && getSirenOfVatNumber(vat);
	return siren && other && other !== siren ? "Ce numéro de TVA ne correspond pas au SIREN" : undefined;
}
