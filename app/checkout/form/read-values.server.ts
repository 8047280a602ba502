import { checkPhone, readPhone } from "../../ui/forms/read-phone.server.ts";
import { type OrderErrors, type OrderValues, readOrderValues } from "./order-form.ts";

/** Reads a form or a query as the server knows it: telephone numbers in the one way in which the shop writes them. */
export function readValues(source: FormData | URLSearchParams): OrderValues {
	const values = readOrderValues(source);
	return { ...values, phone: readPhone(values.phone) };
}

/** @returns the errors that only the server finds: browsers do not have the telephone plans of other countries. */
export function checkRead({ phone }: OrderValues): OrderErrors {
	const sentence = checkPhone(phone);
	return sentence ? { phone: sentence } : {};
}
