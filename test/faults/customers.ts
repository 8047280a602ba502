import { setTimeout as wait } from "node:timers/promises";
import { type ServiceCode, services } from "../../app/catalogue/services.ts";
import { textVersions } from "../../app/catalogue/text-versions.ts";
import type { FakeStripe } from "../fakes/stripe/stripe.ts";
import type { Answer, Client } from "../http-client.ts";
import type { KnownCompany } from "../known-companies.ts";
import { type Random, seededRandom } from "../random.ts";
import { scaledTimeout } from "../time-limits.ts";

/** What customers do, each as often as it stands here. */
const ways = [
	...Array<"buy">(11).fill("buy"),
	...(["click-twice", "abandon", "cancel", "cancel", "cancel-unpaid", "cancel-then-pay"] as const),
	...(["withdraw-at-once", "withdraw-later", "withdraw-later", "dispute-won", "dispute-lost", "dashboard", "dashboard-part"] as const),
] as const;
export type Way = (typeof ways)[number];

/** An order as its customer knows it. */
export interface CustomersOrder {
	email: string;
	service: ServiceCode;
	way: Way;
	/** Whether the customer asked for immediate execution, and so gave the right of withdrawal up once the document is there. */
	waived: boolean;
	sessionId: string | null;
	number: string | null;
	/** What the shop answered; null when it was not asked. `unsure`: an answer was lost before. */
	cancelled: "yes" | "no" | "unsure" | null;
	withdrawn: boolean;
	/** Milliseconds from the payment to the delivery, as its customer saw it; null when nobody waited for it. */
	deliveredAfter: number | null;
	/** Requests that failed and were made again. */
	failures: number;
	/** Answers that no fault explains, and requests that were given up. */
	complaints: string[];
}

export interface Scene {
	stripe: FakeStripe;
	shop: Client;
	companies: readonly KnownCompany[];
	seed: number;
}

/** Milliseconds for which a customer repeats a request (see scaledTimeout). */
const getTimeout = () => scaledTimeout(120_000);

/** One customer, from the form to the end of an order; the same for the same seed and number. */
export async function beCustomer(scene: Scene, number: number): Promise<CustomersOrder> {
	const random = seededRandom(scene.seed + number * 7919);
	const order: CustomersOrder = {
		email: `client-${number}@bench.example`,
		service: random.pick(["standard", "express", "postal"] as const),
		way: random.pick(ways),
		waived: random.next() < 0.3,
		...{ sessionId: null, number: null, cancelled: null, withdrawn: false, deliveredAfter: null, failures: 0, complaints: [] },
	};
	try {
		await act(scene, order, random, number);
	} catch (error) {
		order.complaints.push((error as Error).message);
	}
	return order;
}

async function act(scene: Scene, order: CustomersOrder, random: Random, number: number): Promise<void> {
	const { stripe, shop, companies } = scene;
	const think = () => wait(200 + random.next() * 1500);
	const create = () => createPayment(shop, order, companies[number % companies.length] as KnownCompany, `bench-${scene.seed}-${number}`);
	const urls = await Promise.all(order.way === "click-twice" ? [create(), create()] : [create()]);
	const sessionId = urls[0]?.split("/").at(-1) ?? "";
	order.sessionId = sessionId;
	if (urls.some((url) => url !== urls[0])) order.complaints.push("the same key gave two payment pages");
	await think();
	if (order.way === "abandon") return;
	if (order.way === "cancel-unpaid" || order.way === "cancel-then-pay") {
		await confirm(shop, order);
		await cancel(shop, order);
		if (order.way === "cancel-unpaid") return;
	}
	const payment = stripe.pay(sessionId);
	if (payment === null) return; // the shop had closed the session of a cancelled order: nobody can pay it
	const paid = performance.now();
	await confirm(shop, order);
	if (order.way === "cancel") return cancel(shop, order);
	if (order.way === "withdraw-at-once") return withdraw(shop, order);
	if (order.way === "cancel-then-pay") return;
	await waitForDelivery(shop, order, paid);
	await think();
	if (order.way === "withdraw-later") await withdraw(shop, order);
	if (order.way === "dashboard") stripe.refundFromDashboard(payment.id);
	if (order.way === "dashboard-part") {
		stripe.refundFromDashboard(payment.id, 1000);
		await think();
		stripe.refundFromDashboard(payment.id, 500);
	}
	if (order.way === "dispute-won" || order.way === "dispute-lost") {
		const { id } = stripe.openDispute(payment.id);
		await untilTold(stripe, id); // a bank takes weeks
		stripe.closeDispute(payment.id, order.way === "dispute-won" ? "won" : "lost");
	}
}

async function createPayment(shop: Client, order: CustomersOrder, company: KnownCompany, key: string): Promise<string> {
	const { price, deliveryMethod } = services[order.service];
	const postal = order.service === "postal";
	const address = { address: postal ? "1 rue de la Paix" : "", postalCode: postal ? "75002" : "", city: postal ? "Paris" : "" };
	const answer = await insist(order, () =>
		shop.ask("/api/create-payment", {
			method: "POST",
			headers: { "content-type": "application/json", "idempotency-key": key },
			body: JSON.stringify({
				orderData: { siren: company.siren, companyName: company.name, serviceType: order.service, amount: price, deliveryMethod },
				customerData: { email: order.email, firstName: "Camille", lastName: "Martin", phone: "", company: "", ...address },
				consents: { terms: true, waiveWithdrawal: order.waived, textVersion: textVersions.terms.date },
			}),
		}),
	);
	if (answer.status !== 200) throw new Error(`create-payment answered ${answer.status}: ${answer.body}`);
	return (JSON.parse(answer.body.toString()) as { url: string }).url;
}

async function confirm(shop: Client, order: CustomersOrder): Promise<void> {
	const page = await insist(order, () => shop.ask(`/confirmation/${order.sessionId}`));
	order.number = /KB-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(page.body.toString())?.[0] ?? null;
	if (order.number === null) throw new Error(`the confirmation page answered ${page.status}, without an order number`);
}

async function cancel(shop: Client, order: CustomersOrder): Promise<void> {
	const looked = await insist(order, () => submit(shop, "/suivi-commande", { email: order.email, orderId: order.number ?? "" }));
	if (looked.status !== 303 || looked.location === undefined) throw new Error(`the tracking form answered ${looked.status}`);
	const before = order.failures;
	const { status } = await insist(order, () => submit(shop, looked.location ?? "", { intent: "cancel" }, looked.cookie));
	if (status !== 303 && status !== 409) throw new Error(`the cancellation was answered by ${status}`);
	order.cancelled = status === 303 ? "yes" : order.failures > before ? "unsure" : "no";
}

async function withdraw(shop: Client, order: CustomersOrder): Promise<void> {
	const asked = await insist(order, () => submit(shop, "/retractation", { email: order.email, orderId: order.number ?? "" }));
	const declaration = /name="declaration" value="([^"]+)"/.exec(asked.body.toString())?.[1];
	if (declaration === undefined) throw new Error(`the withdrawal form answered ${asked.status}, without its second step`);
	const { status } = await insist(order, () => submit(shop, "/retractation", { declaration }));
	if (status !== 303) throw new Error(`the withdrawal was answered by ${status}`);
	order.withdrawn = true;
}

/** Looks at the order now and then, and leaves after a while: the mail will tell. */
async function waitForDelivery(shop: Client, order: CustomersOrder, paid: number): Promise<void> {
	while (performance.now() - paid < getTimeout()) {
		if ((await trackedStatus(shop, order)) === "completed") {
			order.deliveredAfter = performance.now() - paid;
			return;
		}
		await wait(1000);
	}
}

/** Waits until the shop has taken what is told of a thing at the provider; at most as long as a customer does. */
async function untilTold({ state }: FakeStripe, id: string): Promise<void> {
	const ids = new Set(state.events.filter(({ data }) => data.object.id === id).map((event) => event.id));
	const began = performance.now();
	while (performance.now() - began < getTimeout() && !state.deliveries.some(({ eventId, status }) => status === 200 && ids.has(eventId)))
		await wait(200);
}

/** The state of an order, as its customer is told. */
export async function trackedStatus(shop: Client, order: CustomersOrder): Promise<string> {
	const { status, body } = await insist(order, () =>
		shop.ask("/api/suivi", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ email: order.email, orderId: order.number }),
		}),
	);
	if (status !== 200) throw new Error(`/api/suivi answered ${status}`);
	return (JSON.parse(body.toString()) as { order: { status: string } }).order.status;
}

const submit = (shop: Client, path: string, fields: Record<string, string>, cookie?: string) =>
	shop.ask(path, {
		method: "POST",
		headers: { "content-type": "application/x-www-form-urlencoded", ...(cookie && { cookie }) },
		body: new URLSearchParams(fields).toString(),
	});

/** Asks again until there is an answer that is not the shop's own failure, as a person does who sees an error page. */
async function insist(order: CustomersOrder, ask: () => Promise<Answer>): Promise<Answer> {
	const began = performance.now();
	let last = "";
	while (performance.now() - began < getTimeout()) {
		try {
			const answer = await ask();
			if (answer.status < 500) return answer;
			last = `${answer.status} ${answer.body.subarray(0, 200)}`;
		} catch (error) {
			last = (error as Error).message;
		}
		order.failures++;
		await wait(300 + Math.random() * 700);
	}
	throw new Error(`gave up after ${getTimeout() / 1000} s: ${last}`);
}
