import { setTimeout as wait } from "node:timers/promises";
import { services } from "../app/catalogue/services.ts";
import type { Client } from "./http-client.ts";
import type { KnownCompany } from "./known-companies.ts";
import { scaledTimeout } from "./time-limits.ts";

interface OrderOptions {
	number: number;
	pollMs: number;
	/** Headers of each request. */
	headers?: Record<string, string>;
}

/**
 * Places an order up to the payment page.
 * @returns a function that pays and waits for the delivery. It gives the milliseconds from payment to delivery.
 */
export async function placeOrder(
	client: Client,
	url: string,
	{ siren, name }: KnownCompany,
	{ number, pollMs, headers = {} }: OrderOptions,
): Promise<() => Promise<number>> {
	const email = `client-${number}@bench.example`;
	const created = await client.ask("/api/create-payment", {
		method: "POST",
		headers: { ...headers, "content-type": "application/json" },
		body: JSON.stringify({
			orderData: { siren, companyName: name, serviceType: "express", amount: services.express.price, deliveryMethod: "email" },
			customerData: { email, firstName: "Camille", lastName: "Martin", phone: "", address: "", postalCode: "", city: "", company: "" },
		}),
	});
	if (created.status !== 200) throw new Error(`create-payment answered ${created.status}: ${created.body}`);
	const paymentPage = new URL((JSON.parse(created.body.toString()) as { url: string }).url).pathname;
	const confirmation = await client.ask(`/confirmation/${paymentPage.split("/").at(-1)}`, { headers });
	const orderId = /KB-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(confirmation.body.toString())?.[0];
	if (orderId === undefined) throw new Error(`the confirmation page of ${paymentPage} shows no order number`);
	return async () => {
		const started = performance.now();
		const paid = await client.ask(paymentPage, {
			method: "POST",
			headers: { ...headers, "content-type": "application/x-www-form-urlencoded", origin: url },
			body: new URLSearchParams({ card: "4242 4242 4242 4242", intent: "pay" }).toString(),
		});
		if (paid.status !== 303) throw new Error(`the payment page answered ${paid.status}`);
		while (!(await isDelivered(client, email, orderId, headers))) {
			if (performance.now() - started > scaledTimeout(20_000)) throw new Error(`order ${orderId} is not delivered`);
			await wait(pollMs);
		}
		return performance.now() - started;
	};
}

async function isDelivered(client: Client, email: string, orderId: string, headers: Record<string, string>): Promise<boolean> {
	const { status, body } = await client.ask("/api/suivi", {
		method: "POST",
		headers: { ...headers, "content-type": "application/json" },
		body: JSON.stringify({ email, orderId }),
	});
	if (status !== 200) throw new Error(`/api/suivi answered ${status}`);
	const { order, documents } = JSON.parse(body.toString()) as { order: { status: string }; documents: { doc_type: string }[] };
	if (order.status === "failed") throw new Error(`order ${orderId} failed`);
	return order.status === "completed" && documents.some(({ doc_type }) => doc_type === "kbis");
}
