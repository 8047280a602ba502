import { setTimeout as wait } from "node:timers/promises";
import { type ServiceCode, services } from "../../app/catalogue/services.ts";
import { textVersions } from "../../app/catalogue/text-versions.ts";
import type { Siren } from "../../app/companies/siren.ts";
import type { FakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { draftOrder } from "../../test/fixtures/drafts.ts";
import type { Answer, Client } from "../../test/http-client.ts";
import type { KnownCompany } from "../../test/known-companies.ts";
import { type Random, seededRandom } from "../../test/random.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { PlacePurchase } from "./place-purchase.ts";

/** The behaviours of customers; each repeat raises the frequency. */
const ways = [
	...Array<"buy">(11).fill("buy"),
	...(["click-twice", "abandon", "cancel", "cancel", "cancel-unpaid", "cancel-then-pay"] as const),
	...(["withdraw-at-once", "withdraw-later", "withdraw-later", "dispute-won", "dispute-lost", "dashboard", "dashboard-part"] as const),
] as const;
export type Way = (typeof ways)[number];

/** A purchase as its customer knows it. */
export interface CustomerOrder {
	email: string;
	/** The service of each order. */
	services: ServiceCode[];
	way: Way;
	/** Whether the customer asked for immediate execution, so that the withdrawal right ends with the delivery. */
	waived: boolean;
	sessionId: string | null;
	/** Of the order that the customer cancels or withdraws from. */
	number: string | null;
	/** Of all orders, as far as the customer knows them. */
	numbers: string[];
	/** The shop's answer; null without a request. `unsure`: an earlier answer was lost. */
	cancelled: "yes" | "no" | "unsure" | null;
	withdrawn: boolean;
	/** Milliseconds from the payment to the delivery; null when the customer did not wait. */
	deliveredAfter: number | null;
	/** Failed requests that were repeated. */
	failures: number;
	/** Answers that no fault explains, and requests that timed out. */
	complaints: string[];
}

export interface Scene {
	stripe: FakeStripe;
	shop: Client;
	companies: readonly KnownCompany[];
	seed: number;
	/** How purchases of several orders are placed; without it, each customer buys one order. */
	placePurchase?: PlacePurchase;
}

/** Most orders of a purchase. */
const mostOrders = 6;

/** Milliseconds for which a customer repeats a request (see scaledTimeout). */
const getTimeout = () => scaledTimeout(120_000);

/** Plays one customer from the form to the end of a purchase. The same seed and number give the same customer. */
export async function playCustomer(scene: Scene, number: number): Promise<CustomerOrder> {
	const random = seededRandom(scene.seed + number * 7919);
	const pickService = () => random.pick(["standard", "express", "postal"] as const);
	const order: CustomerOrder = {
		email: `client-${number}@bench.example`,
		services: [pickService()],
		way: random.pick(ways),
		waived: random.next() < 0.3,
		...{ sessionId: null, number: null, numbers: [], cancelled: null, withdrawn: false, deliveredAfter: null, failures: 0, complaints: [] },
	};
	if (scene.placePurchase && random.next() < 0.5)
		while (order.services.length < mostOrders && random.next() < 0.8) order.services.push(pickService());
	try {
		await act(scene, order, random, number);
	} catch (error) {
		order.complaints.push((error as Error).message);
	}
	return order;
}

async function act(scene: Scene, order: CustomerOrder, random: Random, number: number): Promise<void> {
	const { stripe, shop, companies } = scene;
	const think = () => wait(200 + random.next() * 1500);
	const company = companies[number % companies.length] as KnownCompany;
	const key = `bench-${scene.seed}-${number}`;
	const create = () => (order.services.length > 1 ? createPurchase(scene, order, company, key) : createPayment(shop, order, company, key));
	const urls = await Promise.all(order.way === "click-twice" ? [create(), create()] : [create()]);
	const sessionId = urls[0]?.split("/").at(-1) ?? "";
	order.sessionId = sessionId;
	if (order.numbers.length > 1) order.number = random.pick(order.numbers);
	if (urls.some((url) => url !== urls[0])) order.complaints.push("the same key gave two payment pages");
	await think();
	if (order.way === "abandon") return;
	if (order.way === "cancel-unpaid" || order.way === "cancel-then-pay") {
		await confirm(shop, order);
		await cancel(shop, order);
		if (order.way === "cancel-unpaid") return;
	}
	const payment = stripe.pay(sessionId);
	if (payment === null) return; // the shop had expired the session of a cancelled order
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
		await untilEventReceived(stripe, id); // in reality a bank takes weeks
		stripe.closeDispute(payment.id, order.way === "dispute-won" ? "won" : "lost");
	}
}

async function createPayment(shop: Client, order: CustomerOrder, company: KnownCompany, key: string): Promise<string> {
	const [service = "express"] = order.services;
	const { price, deliveryMethod } = services[service];
	const postal = service === "postal";
	const address = { address: postal ? "1 rue de la Paix" : "", postalCode: postal ? "75002" : "", city: postal ? "Paris" : "" };
	const answer = await retry(order, () =>
		shop.ask("/api/create-payment", {
			method: "POST",
			headers: { "content-type": "application/json", "idempotency-key": key },
			body: JSON.stringify({
				orderData: { siren: company.siren, companyName: company.name, serviceType: service, amount: price, deliveryMethod },
				customerData: { email: order.email, firstName: "Camille", lastName: "Martin", phone: "", company: "", ...address },
				consents: { terms: true, waiveWithdrawal: order.waived, textVersion: textVersions.terms.date },
			}),
		}),
	);
	if (answer.status !== 200) throw new Error(`create-payment answered ${answer.status}: ${answer.body}`);
	return (JSON.parse(answer.body.toString()) as { url: string }).url;
}

/** Places a purchase of several orders. Repeats what a fault interrupted. */
async function createPurchase({ placePurchase }: Scene, order: CustomerOrder, company: KnownCompany, key: string): Promise<string> {
	if (placePurchase === undefined) throw new Error("nothing places purchases of several orders");
	const consents = { terms: true, waiveWithdrawal: order.waived, textVersion: textVersions.terms.date };
	const common = { siren: company.siren as Siren, companyName: company.name, email: order.email, consents };
	const drafts = order.services.map((service) => draftOrder(service, common));
	const { url, numbers } = await retry(order, () => placePurchase(drafts, key));
	order.numbers = numbers;
	return url;
}

async function confirm(shop: Client, order: CustomerOrder): Promise<void> {
	const page = await retry(order, () => shop.ask(`/confirmation/${order.sessionId}`));
	if (order.numbers.length > 1 && page.status < 400) return;
	order.number = /KB-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(page.body.toString())?.[0] ?? null;
	if (order.number !== null) order.numbers = [order.number];
	if (order.number === null) throw new Error(`the confirmation page answered ${page.status}, without an order number`);
}

async function cancel(shop: Client, order: CustomerOrder): Promise<void> {
	const found = await retry(order, () => submit(shop, "/suivi-commande", { email: order.email, orderId: order.number ?? "" }));
	if (found.status !== 303 || found.location === undefined) throw new Error(`the tracking form answered ${found.status}`);
	const before = order.failures;
	const { status } = await retry(order, () => submit(shop, found.location ?? "", { intent: "cancel" }, found.cookie));
	// who opens one line of a purchase does not cancel it before the payment
	if (status === 403 && order.numbers.length > 1) return;
	if (status !== 303 && status !== 409) throw new Error(`the cancellation was answered by ${status}`);
	order.cancelled = status === 303 ? "yes" : order.failures > before ? "unsure" : "no";
}

async function withdraw(shop: Client, order: CustomerOrder): Promise<void> {
	const form = await retry(order, () => submit(shop, "/retractation", { email: order.email, orderId: order.number ?? "" }));
	const declaration = /name="declaration" value="([^"]+)"/.exec(form.body.toString())?.[1];
	if (declaration === undefined) throw new Error(`the withdrawal form answered ${form.status}, without its second step`);
	// of a purchase of several, the first line alone, as customers do who keep the others
	const line = /name="ligne"[^>]* value="(\d+)"/.exec(form.body.toString())?.[1];
	const { status } = await retry(order, () => submit(shop, "/retractation", { declaration, ...(line && { ligne: line }) }));
	if (status !== 303) throw new Error(`the withdrawal was answered by ${status}`);
	order.withdrawn = true;
}

/** Polls the orders until all are delivered, or until the timeout. */
async function waitForDelivery(shop: Client, order: CustomerOrder, paid: number): Promise<void> {
	for (const number of order.numbers)
		while ((await fetchOrderStatus(shop, order, number)) !== "completed") {
			if (performance.now() - paid > getTimeout()) return;
			await wait(1000);
		}
	order.deliveredAfter = performance.now() - paid;
}

/** Waits until the shop has received an event about an object of the provider, or until the timeout. */
async function untilEventReceived({ state }: FakeStripe, id: string): Promise<void> {
	const ids = new Set(state.events.filter(({ data }) => data.object.id === id).map((event) => event.id));
	const began = performance.now();
	while (performance.now() - began < getTimeout() && !state.deliveries.some(({ eventId, status }) => status === 200 && ids.has(eventId)))
		await wait(200);
}

/** Reads the state of one of the orders from the tracking API. */
export async function fetchOrderStatus(shop: Client, order: CustomerOrder, number: string): Promise<string> {
	const { status, body } = await retry(order, () =>
		shop.ask("/api/suivi", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ email: order.email, orderId: number }),
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

/** Repeats a request until the answer is no server error, or until the timeout. */
async function retry<Result extends Answer | { url: string }>(order: CustomerOrder, ask: () => Promise<Result>): Promise<Result> {
	const began = performance.now();
	let last = "";
	while (performance.now() - began < getTimeout()) {
		try {
			const answer = await ask();
			if (!("status" in answer) || answer.status < 500) return answer;
			last = `${answer.status} ${answer.body.subarray(0, 200)}`;
		} catch (error) {
			last = (error as Error).message;
		}
		order.failures++;
		await wait(300 + Math.random() * 700);
	}
	throw new Error(`gave up after ${getTimeout() / 1000} s: ${last}`);
}
