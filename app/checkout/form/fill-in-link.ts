import { isPosted } from "../../catalogue/services.ts";
import { getServices, type OrderValues } from "./order-form.ts";

/**
 * Fills in the form from a link, as the payment page understands it: a single address is that of the letter and of the invoice
 * (docs/rules.md, R8). Who is invoiced follows from what the link says of it; without that, the form asks.
 */
export function fillInLink(link: OrderValues): OrderValues {
	const values = { ...link, billTo: "" };
	const isTyped = values.company !== "" || values.address !== "";
	const isLetter = getServices(values).some(isPosted);
	if (isLetter && values.deliveryAddress !== "" && !isTyped) return { ...values, billTo: "delivery" };
	if (isLetter && values.deliveryAddress === "")
		Object.assign(values, { deliveryAddress: values.address, deliveryPostalCode: values.postalCode, deliveryCity: values.city });
	return isTyped ? { ...values, billTo: "other" } : values;
}
