import { toWrittenEmail } from "../../mail/read-email.server.ts";
import { checkPhone, readPhone } from "../../ui/forms/read-phone.server.ts";
import type { OrderErrors, OrderValues } from "./order-form.ts";
import { readOrderValues } from "./read-order-values.ts";

/** Reads a form or a query as the server knows it: telephone numbers and domains in the one way in which the shop writes them. */
export function readValues(source: FormData | URLSearchParams): OrderValues {
	const values = readOrderValues(source);
	const { email, deliveryEmail, phone } = values;
	return { ...values, email: toWrittenEmail(email), deliveryEmail: toWrittenEmail(deliveryEmail), phone: readPhone(phone) };
}

/** @returns the errors that only the server finds: browsers do not have the telephone plans of other countries. */
export function checkRead({ phone }: OrderValues): OrderErrors {
	const sentence = checkPhone(phone);
	return sentence ? { phone: sentence } : {};
}
