import { href } from "react-router";
import { parseSiren } from "../../companies/siren.ts";
import { isEmailShape } from "../../mail/email-address.ts";
import { suggestEmail } from "../../mail/suggest-email.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
import { getFormUrl, toSentLine } from "../form/form-line.ts";
import { checkOrder, type OrderValues, toOrderQuery } from "../form/order-form.ts";
import { type OpenedForm as OpenedStoredForm, type OrderForm, openStoredForm } from "../form/order-forms.server.ts";
import { readValues } from "../form/read-values.server.ts";
import { toRefusedEmailUrl } from "../form/refused-email.ts";
import { type Checkout, readConsents } from "./start-checkout.server.ts";

/** What `/paiement` was opened with. */
export type OpenedForm =
	| {
			ok: true;
			/** Whole, for the payment. */
			content: OrderForm;
			/** What the page may show in this browser. */
			shown: OrderValues;
			isMasked: boolean;
			/** The stored form; null when the order is in the query. */
			stored: OpenedStoredForm | null;
			/** The customer's details were typed in this browser, or stand in its URL: it may see the order in full once it is placed. */
			isOwn: boolean;
			/** The form with the same content. */
			editUrl: string;
	  }
	/** `incomplete`: its form must be filled in, or sent, first. */
	| { ok: false; code: "incomplete"; formUrl: string }
	| { ok: false; code: "expired" };

/** Opens `/paiement?commande={token}`, of our own form, or `/paiement?siren=…`, the contract with other sites (docs/rules.md, R11). */
export async function openForm(shop: PaymentShop, request: Request): Promise<OpenedForm> {
	const query = new URL(request.url).searchParams;
	const token = query.get("commande");
	if (token === null) return openLink(query);
	const stored = await openStoredForm(shop, request, token);
	if (stored === null) return { ok: false, code: "expired" };
	const { fields, lines, isMasked, isOwn } = stored;
	const editUrl = getFormUrl(stored);
	if (lines.every(({ siren }) => siren === null)) return { ok: false, code: "incomplete", formUrl: editUrl };
	const read = (texts: Partial<OrderValues>) => readValues(new URLSearchParams(texts));
	const content = { values: read(fields), lines };
	return { ok: true, content, shown: read(stored.shown), isMasked, stored, isOwn, editUrl };
}

/** Never reads a price or a company's name from a link. */
function openLink(query: URLSearchParams): OpenedForm {
	// who is invoiced is chosen in our form: a link cannot choose the company ordered (docs/rules.md, R198)
	const values = { ...readValues(query), billTo: "", ownCompany: "" };
	const siren = parseSiren(values.siren);
	const { email, ...errors } = checkOrder(values, ["siren", "service", "email", "firstName", "lastName"]);
	if (siren === null || Object.keys(errors).length > 0) return { ok: false, code: "incomplete", formUrl: href("/") };
	const editUrl = `${href("/commande")}?${toOrderQuery(values)}`;
	// an address that can be mended: its field asks
	const canBeMended = isEmailShape(values.email) || suggestEmail(values.email) !== null;
	if (email) return { ok: false, code: "incomplete", formUrl: canBeMended ? toRefusedEmailUrl(editUrl) : href("/") };
	return { ok: true, content: { values, lines: [toSentLine(siren)] }, shown: values, isMasked: false, stored: null, isOwn: true, editUrl };
}

/** Reads the form of `/paiement`: the consents that the order lacks, the displayed price and hour, and the key. */
export function readPaymentForm(
	values: OrderValues,
	form: FormData,
): Pick<Checkout, "values" | "amount" | "until" | "consents" | "idempotencyKey"> {
	const { acceptTerms, waiveWithdrawal } = readValues(form);
	const completed = values.acceptTerms === "" ? { ...values, acceptTerms, waiveWithdrawal } : values;
	return {
		values: completed,
		amount: Number(form.get("amount")),
		until: Number(form.get("until")) || null,
		consents: readConsents(completed),
		idempotencyKey: readKey(form.get("key")),
	};
}

/** @returns null for a form without a key, or with a malformed one. */
const readKey = (key: FormDataEntryValue | null): string | null => (typeof key === "string" && /^[\w-]{1,100}$/.test(key) ? key : null);
