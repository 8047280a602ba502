import { parseServiceCode, services } from "../../catalogue/services.ts";
import { parseSiren } from "../../companies/siren.ts";
import { checkOrder, readOrderValues } from "../../order-form/order-form.ts";
import { type Checkout, readConsents } from "./start-checkout.server.ts";

/** Reads the query of `/paiement` (docs/rules.md, R11), but never a price or company name from it. @returns null when it is incomplete. */
export function readPaymentQuery(query: URLSearchParams) {
	const values = readOrderValues(query);
	const service = parseServiceCode(values.service);
	const siren = parseSiren(values.siren);
	const errors = checkOrder(values, ["siren", "service", "email", "firstName", "lastName"]);
	return service === null || siren === null || Object.keys(errors).length > 0 ? null : { values, service, siren };
}

/** Reads the form of `/paiement`. The order comes from the query; the consents that it lacks, the displayed price and the key from the form. */
export function readPaymentForm(query: URLSearchParams, form: FormData): Omit<Checkout, "client"> {
	const values = readOrderValues(query);
	const { acceptTerms, waiveWithdrawal } = readOrderValues(form);
	if (values.acceptTerms === "") Object.assign(values, { acceptTerms, waiveWithdrawal });
	const service = parseServiceCode(values.service);
	return {
		values,
		amount: Number(form.get("amount")),
		deliveryMethod: service ? services[service].deliveryMethod : "",
		consents: readConsents(values),
		idempotencyKey: /^[\w-]{1,100}$/.exec(String(form.get("key")))?.[0] ?? null,
	};
}
