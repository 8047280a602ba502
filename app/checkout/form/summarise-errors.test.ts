import { expect, test } from "vitest";
import type { ServiceCode } from "../../catalogue/services.ts";
import type { FormState } from "./form-state.ts";
import { summariseErrors } from "./summarise-errors.ts";

const errors: FormState["errors"] = {
	lastName: "Le nom est requis",
	deliveryAddress: "L'adresse est requise",
	deliveryPostalCode: "Code postal invalide (5 chiffres)",
	address: "L'adresse est requise",
	postalCode: "Le code postal est requis",
	city: "La ville est requise",
};

const named: FormState["errors"] = {
	lastName: "Le nom est requis",
	deliveryAddress: "Indiquez l’adresse de livraison",
	deliveryPostalCode: "Adresse de livraison\u00a0: code postal invalide (5 chiffres)",
	address: "Indiquez l’adresse de facturation",
	postalCode: "Adresse de facturation\u00a0: le code postal est requis",
	city: "Adresse de facturation\u00a0: la ville est requise",
};

test.each<[(ServiceCode | null)[], FormState["errors"]]>([
	[["postal"], named],
	[["standard", null, "postal"], named],
	[["standard", "express"], errors],
	[[null], errors],
	[[], errors],
])("the summary of a form that orders %j names the address of each error where there are two", (ordered, summary) => {
	expect(Object.entries(summariseErrors(errors, ordered))).toEqual(Object.entries(summary));
});
