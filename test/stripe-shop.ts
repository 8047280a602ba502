import { sql } from "kysely";
import { startFakeStripe } from "./fakes/stripe/stripe.ts";
import { createTestShop } from "./shop.ts";

export type StripeShop = Awaited<ReturnType<typeof createStripeShop>>;

/**
 * The built shop with a fake of Stripe that sends its events. The test moves the clock of both.
 * @param variables environment variables that differ from the demo's.
 */
export async function createStripeShop({ variables = {}, startsAt }: { variables?: Record<string, string>; startsAt?: Date } = {}) {
	const clock = { ahead: startsAt ? startsAt.getTime() - Date.now() : 0 };
	const now = () => new Date(Date.now() + clock.ahead);
	const lines: Record<string, unknown>[] = [];
	const stripe = await startFakeStripe({ now });
	const shop = await createTestShop({
		variables: {
			...{ STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret, STRIPE_API_BASE: stripe.url },
			...variables,
		},
		now,
		onLog: (line) => lines.push(JSON.parse(line)),
	});
	// the specimens of a purchase are ready at once: the queue's clock does not move with the shop's
	const { issuer } = shop.shop;
	shop.shop.issuer = { ...issuer, result: (order) => issuer.result({ ...order, line: 1 }) };
	const webhookUrl = `${shop.url}/api/stripe/webhook`;
	stripe.sendEventsTo(webhookUrl);
	const { db } = shop.shop;

	const getPaymentIntent = (sessionId: string) => stripe.state.sessions.get(sessionId)?.payment_intent ?? "";
	const rows = {
		refunds: (id: string) => db.selectFrom("refunds").selectAll().where("order_id", "=", id).orderBy("requested_at").execute(),
		payments: (id: string) => db.selectFrom("payments").selectAll().where("order_id", "=", id).orderBy("created_at").execute(),
		invoices: (id: string) => db.selectFrom("invoices").selectAll().where("order_id", "=", id).orderBy("issued_at").execute(),
		documents: (id: string) => db.selectFrom("documents").selectAll().where("order_id", "=", id).execute(),
		mails: (id: string) => db.selectFrom("mails").selectAll().where("order_id", "=", id).orderBy("created_at").execute(),
	};

	/** The cookie of a customer who entered the e-mail and number of an order. */
	async function getTrackingCookie(order: { number: string }): Promise<string> {
		const answer = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: order.number });
		return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
	}

	/** Pays, and waits until the shop has received the event. @returns the payment. */
	async function pay(sessionId: string): Promise<string> {
		stripe.pay(sessionId);
		await stripe.delivered();
		return getPaymentIntent(sessionId);
	}

	return {
		...shop,
		/** Makes delayed e-mails of orders due: the queue's clock does not move with the shop's. */
		async makeEmailsDue(): Promise<void> {
			await sql`update jobs.job_common set start_after = now() where name = 'send-order-mail' and state = 'created'`.execute(db);
		},
		stripe,
		clock,
		/** The records of the shop's log. */
		lines,
		webhookUrl,
		getPaymentIntent,
		rows,
		getTrackingCookie,
		/** The customer presses a button of the tracking page. */
		async onTrackingPage(order: { number: string }, fields: Record<string, string>): Promise<Response> {
			return shop.postForm(`/suivi/${order.number}`, fields, { cookie: await getTrackingCookie(order) });
		},
		/** The customer declares a withdrawal, and confirms it. @returns the receipt's page. */
		async withdrawOnline(order: { number: string }): Promise<string> {
			const asked = await (await shop.postForm("/retractation", { email: "ada@example.fr", orderId: order.number })).text();
			const declaration = /name="declaration" value="([^"]+)"/.exec(asked)?.[1];
			if (declaration === undefined) return asked; // the receipt of a declaration of before
			const confirmed = await shop.postForm("/retractation", { declaration });
			return (await shop.ask(confirmed.headers.get("location") ?? "/")).text();
		},
		pay,
		/** Orders, pays, and waits until the document is sent and the payment confirmed. */
		async completePaid() {
			const placed = await shop.placeOrder();
			const payment = await pay(placed.sessionId);
			await shop.untilOrderIs("completed", placed.id);
			await shop.getMails(placed, "confirmation");
			return { placed, payment };
		},
		async close() {
			await shop.close();
			await stripe.close();
		},
	};
}
