import Stripe from "stripe";
import { serviceCodes, services } from "../../app/catalogue/services.ts";
import type { SeenRequest } from "../../test/fakes/stripe/requests.ts";
import type { FakeStripe } from "../../test/fakes/stripe/stripe.ts";
import type { Client } from "../client.ts";
import type { KnownCompany } from "../journey/searches.ts";

/** What one paid order took, in milliseconds, the provider's own time taken off. */
export interface PaidOrder {
	createPayment: number;
	webhook: number;
}

/**
 * Brings orders through the front door: create-payment, paid at the provider, its event taken. The events are sent from here, signed as
 * the stand-in would, so that their answers are timed.
 * @param webs a client for each web process: what one began, the other may go on with.
 */
export function openCustomers(stripe: FakeStripe, webs: readonly Client[], companies: readonly KnownCompany[]) {
	let number = 0;

	/** @throws when an answer is not what a customer or the provider waits for. */
	return async function order(): Promise<PaidOrder> {
		const mine = number++;
		const web = (turn: number) => webs[(mine + turn) % webs.length] as Client;
		const service = services[serviceCodes[mine % serviceCodes.length] ?? "standard"];
		const { siren, name } = companies[mine % companies.length] as KnownCompany;
		const address = { address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
		const created = await web(0).ask("/api/create-payment", {
			method: "POST",
			mayRepeat: true,
			headers: { "content-type": "application/json", "idempotency-key": `bench-${mine}` },
			body: JSON.stringify({
				orderData: {
					...{ siren, companyName: name, serviceType: service.code, amount: service.price },
					deliveryMethod: service.deliveryMethod,
				},
				customerData: {
					...{ email: `client-${mine}@bench.example`, firstName: "Camille", lastName: "Martin", phone: "", company: "" },
					...(service.code === "postal" ? address : { address: "", postalCode: "", city: "" }),
				},
			}),
		});
		if (created.status !== 200) throw new Error(`create-payment answered ${created.status}: ${created.body}`);
		const sessionId = (JSON.parse(created.body.toString()) as { url: string }).url.split("/").at(-1) ?? "";
		const opened = takeRequests(stripe, ({ form }) => form.includes(stripe.state.sessions.get(sessionId)?.client_reference_id ?? "?"));
		stripe.pay(sessionId);
		const event = stripe.state.events.pop();
		if (event?.type !== "checkout.session.completed") throw new Error("the provider told no payment");
		const payload = JSON.stringify(event);
		const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripe.webhookSecret });
		const told = await web(1).ask("/api/stripe/webhook", {
			method: "POST",
			mayRepeat: true,
			headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
			body: payload,
		});
		if (told.status !== 200) throw new Error(`the webhook answered ${told.status}: ${told.body}`);
		const asked = takeRequests(stripe, ({ path }) => path.includes(sessionId));
		// the stand-in looks through all its sessions at each request: what is done is forgotten, so that it stays as fast as it was
		stripe.state.sessions.delete(sessionId);
		return { createPayment: created.ms - opened, webhook: told.ms - asked };
	};
}

/** Takes requests off the stand-in's list. @returns the milliseconds that they took there. */
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
