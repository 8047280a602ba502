import { parseServiceCode, services } from "../../catalogue/services.ts";
import { parseSiren } from "../../companies/siren.ts";
import { checkOrder, type OrderField, type OrderValues, readOrderValues } from "../../order-form/order-form.ts";
import { type OpenedForm as OpenedStoredForm, openStoredForm } from "../../order-form/order-forms.server.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { type Checkout, readConsents } from "./start-checkout.server.ts";

/** The fields with which `/paiement` was opened. */
export type OpenedForm =
	| {
			ok: true;
			/** The fields as texts, as in a query. */
			fields: URLSearchParams;
			/** Those that the page may show in this browser. */
			shown: URLSearchParams;
			/** The stored form; null when the fields are in the query. */
			form: OpenedStoredForm | null;
			/** The customer's details were typed in this browser, or stand in its URL: it may see the order in full once it is placed. */
			isOwn: boolean;
	  }
	| { ok: false; code: "expired" };

/** Opens `/paiement?commande={token}`, of our own form, or `/paiement?siren=…`, the contract with other sites (docs/rules.md, R11). */
export async function openForm(shop: PaymentShop, request: Request): Promise<OpenedForm> {
	const query = new URL(request.url).searchParams;
	const token = query.get("commande");
	if (token === null) {
		const fields = withoutChoices(query);
		return { ok: true, fields, shown: fields, form: null, isOwn: true };
	}
	const form = await openStoredForm(shop, request, token);
	if (form === null) return { ok: false, code: "expired" };
	return { ok: true, fields: new URLSearchParams(form.fields), shown: new URLSearchParams(form.shown), form, isOwn: form.isOwn };
}

/** Who is invoiced is chosen in our form: a link cannot choose the company ordered (docs/rules.md, R198). */
function withoutChoices(query: URLSearchParams): URLSearchParams {
	const fields = new URLSearchParams(query);
	for (const field of ["billTo", "ownCompany"] satisfies OrderField[]) fields.delete(field);
	return fields;
}

/** Reads the fields of an order (docs/rules.md, R11), but never a price or company name from them. @returns null when they are incomplete. */
export function readPaymentFields(fields: URLSearchParams) {
	const values = readOrderValues(fields);
	const service = parseServiceCode(values.service);
	const siren = parseSiren(values.siren);
	const errors = checkOrder(values, ["siren", "service", "email", "firstName", "lastName"]);
	return service === null || siren === null || Object.keys(errors).length > 0 ? null : { values, service, siren };
}

/** Reads the form of `/paiement`. `fields` hold the order; the form holds the consents that they lack, the displayed price and the key. */
export function readPaymentForm(fields: URLSearchParams, form: FormData): Omit<Checkout, "client"> {
	const values = readOrderValues(fields);
	const { acceptTerms, waiveWithdrawal } = readOrderValues(form);
	if (values.acceptTerms === "") Object.assign(values, { acceptTerms, waiveWithdrawal });
	return {
		values,
		amount: Number(form.get("amount")),
		deliveryMethod: getDeliveryMethod(values),
		consents: readConsents(values),
		idempotencyKey: readKey(form.get("key")),
	};
}

/** @returns null for a form without a key, or with a malformed one. */
const readKey = (key: FormDataEntryValue | null): string | null => (typeof key === "string" && /^[\w-]{1,100}$/.test(key) ? key : null);

function getDeliveryMethod(values: OrderValues): string {
	const service = parseServiceCode(values.service);
	return service ? services[service].deliveryMethod : "";
}
