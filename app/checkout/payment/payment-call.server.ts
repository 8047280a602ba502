import { z } from "zod";
import { parseSiren } from "../../companies/siren.ts";
import { toSentLine } from "../form/form-line.ts";
import { readValues } from "../form/read-values.server.ts";
import type { Checkout } from "./start-checkout.server.ts";

const text = z
	.string()
	.nullish()
	.transform((value) => value ?? "");
const paymentCall = z.object({
	orderData: z.object({ siren: text, serviceType: text, amount: z.number(), deliveryMethod: text }),
	customerData: z.object({
		email: text,
		firstName: text,
		lastName: text,
		phone: text,
		address: text,
		postalCode: text,
		city: text,
		company: text,
		deliveryEmail: text,
		billingSiren: text,
		vatNumber: text,
		deliveryName: text,
		deliveryComplement: text,
		deliveryAddress: text,
		deliveryPostalCode: text,
		deliveryCity: text,
		newsletter: z.boolean().nullish(),
	}),
	consents: z
		.object({ terms: z.boolean(), waiveWithdrawal: z.boolean(), textVersion: z.string().regex(/^[\w.-]{1,40}$/) })
		.nullable()
		.default(null),
});

/**
 * Reads the body of `/api/create-payment`: `{orderData, customerData, consents?}`.
 * @returns `deliveryMethod`: must be that of the service; null when the body is malformed
 */
export function parsePaymentCall(
	body: unknown,
): (Pick<Checkout, "values" | "lines" | "amount" | "consents"> & { deliveryMethod: string }) | null {
	const parsed = paymentCall.safeParse(body);
	if (!parsed.success) return null;
	const { orderData, customerData, consents } = parsed.data;
	const fields = {
		...customerData,
		billingVat: customerData.vatNumber,
		service: orderData.serviceType,
		newsletter: customerData.newsletter ? "on" : "",
	};
	const siren = parseSiren(orderData.siren);
	return {
		values: readValues(new URLSearchParams(fields)),
		lines: siren === null ? [] : [toSentLine(siren)],
		amount: orderData.amount,
		deliveryMethod: orderData.deliveryMethod,
		consents,
	};
}
