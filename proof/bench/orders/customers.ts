import Stripe from "stripe";
import { serviceCodes, services } from "../../../app/catalogue/services.ts";
import type { SeenRequest } from "../../../test/fakes/stripe/requests.ts";
import type { FakeStripe } from "../../../test/fakes/stripe/stripe.ts";
import type { Answer, Client } from "../../../test/http-client.ts";
import type { KnownCompany } from "../../../test/known-companies.ts";

/** Milliseconds of one paid order, without the provider's own time. */
export interface PaidOrder {
	createPayment: number;
	webhook: number;
}

/**
 * Places orders over HTTP: create-payment, payment at the provider, webhook. The bench sends the webhooks itself, signed as the fake
 * signs them, to time their answers.
 * @param webs a client for each web process; an order's requests go to both.
 */
export function createCustomers(stripe: FakeStripe, webs: readonly Client[], companies: readonly KnownCompany[]) {
	let number = 0;

	/** @throws when an answer is not the expected one. */
	return async function order(): Promise<PaidOrder> {
		const own = number++;
		const web = (turn: number) => webs[(own + turn) % webs.length] as Client;
		const service = services[serviceCodes[own % serviceCodes.length] ?? "standard"];
		const { siren, name } = companies[own % companies.length] as KnownCompany;
		const address = { address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
		const created = await web(0).ask("/api/create-payment", {
			method: "POST",
			mayRepeat: true,
			headers: { "content-type": "application/json", "idempotency-key": `bench-${own}` },
			body: JSON.stringify({
				orderData: {
					...{ siren, companyName: name, serviceType: service.code, amount: service.price },
					deliveryMethod: service.deliveryMethod,
				},
				customerData: {
					...{ email: `client-${own}@bench.example`, firstName: "Camille", lastName: "Martin", phone: "", company: "" },
					...(service.code === "postal" ? address : { address: "", postalCode: "", city: "" }),
				},
			}),
		});
		if (created.status !== 200) throw new Error(`create-payment answered ${created.status}: ${created.body}`);
		const sessionId = (JSON.parse(created.body.toString()) as { url: string }).url.split("/").at(-1) ?? "";
		const openingMs = takeRequests(stripe, ({ form }) => form.includes(stripe.state.sessions.get(sessionId)?.client_reference_id ?? "?"));
		const notified = await payAndNotify(stripe, sessionId, web(1));
		const lookupMs = takeRequests(stripe, ({ path }) => path.includes(sessionId));
		// the fake searches all its sessions at each request: delete this one, so that it stays fast
		stripe.state.sessions.delete(sessionId);
		return { createPayment: created.ms - openingMs, webhook: notified.ms - lookupMs };
	};
}

/** Pays a session at the provider, and tells the shop by a signed webhook. @throws when it does not answer 200. */
export async function payAndNotify(stripe: FakeStripe, sessionId: string, web: Client): Promise<Answer> {
	stripe.pay(sessionId);
	const event = stripe.state.events.pop();
	if (event?.type !== "checkout.session.completed") throw new Error("the provider sent no event of the payment");
	const payload = JSON.stringify(event);
	const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripe.webhookSecret });
	const notified = await web.ask("/api/stripe/webhook", {
		method: "POST",
		mayRepeat: true,
		headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
		body: payload,
	});
	if (notified.status !== 200) throw new Error(`the webhook answered ${notified.status}: ${notified.body}`);
	return notified;
}

/** Removes requests from the fake's list. @returns the milliseconds that the fake spent on them. */
function takeRequests({ state: { requests } }: FakeStripe, isMine: (request: SeenRequest) => boolean): number {
	let ms = 0;
	for (let index = requests.length - 1; index >= 0; index--) {
		const request = requests[index] as SeenRequest;
		if (!isMine(request)) continue;
		ms += request.ms ?? 0;
		requests.splice(index, 1);
	}
	return ms;
}
