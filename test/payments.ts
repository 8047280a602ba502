import { sql } from "kysely";
import { isFrenchHoliday } from "../app/catalogue/holidays.ts";
import { cents } from "../app/catalogue/money.ts";
import { parseOpeningHours } from "../app/catalogue/opening-hours.ts";
import { readOrderValues } from "../app/order-form/order-form.ts";
import { startCheckout } from "../app/payments/checkout/start-checkout.server.ts";
import { handleEvent } from "../app/payments/handle-event.server.ts";
import type { PaymentProvider, PaymentSession, SessionRequest } from "../app/payments/provider.ts";
import { deliverSandboxEventJob } from "../app/payments/sandbox/jobs.ts";
import { sandboxEventSecret } from "../app/payments/sandbox/sandbox-events.server.ts";
import { paySandbox } from "../app/payments/sandbox/sandbox-payment.server.ts";
import { sandboxProvider } from "../app/payments/sandbox/sandbox-provider.server.ts";
import { signEvent } from "../app/payments/signed-event.server.ts";
import { stripeProvider } from "../app/payments/stripe/stripe-provider.server.ts";
import type { Trx } from "../server/database/database.ts";
import { startJobs } from "../server/jobs.ts";
import { createLog } from "../server/observability/log.ts";
import { createSigner } from "../server/signing.ts";
import { createTestDatabase } from "./database.ts";
import { startFakeStripe } from "./fakes/stripe/stripe.ts";
import { createBooks } from "./histories/books.ts";
import { createQueue } from "./histories/queue.ts";
import { createOrderFixture } from "./orders.ts";

/** A provider, and what others do at it: the customer, the operator on the provider's own pages, the customer's bank. */
export interface PaymentScene {
	provider: PaymentProvider;
	eventSecret: string;
	pay(sessionId: string): Promise<unknown>;
	refundElsewhere(paymentId: string, amount: number): Promise<unknown>;
	dispute(paymentId: string): Promise<unknown>;
	endDispute(paymentId: string, outcome: "won" | "lost"): Promise<unknown>;
	/** The next refund is made and its answer is lost, as often as the provider's own client asks. */
	loseAnswers(): void;
	close(): Promise<void>;
}

/** The sandbox on a separate database; no job runs. */
export async function sandboxScene(now: () => Date) {
	const { db, connection, close } = await createTestDatabase();
	const jobs = await startJobs(connection, [deliverSandboxEventJob], createLog("silent"), { supervise: false });
	const signer = createSigner(["a secret of the tests that is long enough to sign"]);
	const scene: PaymentScene = {
		provider: sandboxProvider({ db, jobs, signer, now, baseUrl: "http://localhost:3000" }),
		eventSecret: sandboxEventSecret(signer),
		pay: (sessionId) => paySandbox({ db, jobs, now }, sessionId),
		refundElsewhere: (payment_intent, amount) =>
			db
				.insertInto("sandbox.refunds")
				.values({ id: `re_test_${crypto.randomUUID()}`, payment_intent, amount, status: "succeeded", created_at: now() })
				.execute(),
		dispute: (payment_intent) =>
			db
				.insertInto("sandbox.disputes")
				.values({ id: `du_test_${crypto.randomUUID()}`, payment_intent, status: "open", created_at: now() })
				.execute(),
		endDispute: (payment, status) => db.updateTable("sandbox.disputes").set({ status }).where("payment_intent", "=", payment).execute(),
		loseAnswers() {},
		async close() {
			await jobs.stop(1000);
			await close();
		},
	};
	return { ...scene, db, signer };
}

/** The Stripe provider, connected to the fake of Stripe. */
export async function stripeScene(now: () => Date): Promise<PaymentScene> {
	const stripe = await startFakeStripe({ now });
	const { secretKey, webhookSecret, url: apiBase } = stripe;
	return {
		provider: stripeProvider({ secretKey, webhookSecret, apiBase, live: false }, now),
		eventSecret: webhookSecret,
		pay: async (sessionId) => stripe.pay(sessionId),
		refundElsewhere: async (paymentId, amount) => stripe.refundFromDashboard(paymentId, amount),
		dispute: async (paymentId) => stripe.openDispute(paymentId),
		endDispute: async (paymentId, outcome) => stripe.closeDispute(paymentId, outcome),
		loseAnswers: () => stripe.failNext({ path: "POST /v1/refunds", kind: "timeout-after-success" }),
		close: stripe.close,
	};
}

/** A request for a session: 59,00 € within the hour, with a new order and key, unless the test changes it. */
export const sessionRequest = (now: Date, change: Partial<SessionRequest> = {}): SessionRequest => ({
	orderId: crypto.randomUUID(),
	key: crypto.randomUUID(),
	amount: cents(5900),
	productName: "KBIS Express, SIREN 552032534",
	customerEmail: "ada@example.fr",
	successUrl: "http://localhost:3000/confirmation/{CHECKOUT_SESSION_ID}",
	cancelUrl: "http://localhost:3000/paiement/reprendre/jeton",
	expiresAt: new Date(now.getTime() + 3_600_000),
	...change,
});

export type BooksScene = Awaited<ReturnType<typeof booksScene>>;

/**
 * The shop for use cases of payments: a separate database; the test controls clock, queue and provider.
 * Jobs that are sent wait; events are told to the shop when the test says so.
 */
export async function booksScene() {
	let queue!: Awaited<ReturnType<typeof createQueue>>;
	const orders = await createOrderFixture({
		startsAt: "2026-11-23T09:00:00Z", // a Monday, 10 h in Paris
		variables: { ORDER_LIMITS: "off" },
		async openJobs({ db, now }) {
			queue = await createQueue(db, now);
			return queue.jobs;
		},
	});
	const { db, now, lines, environment, log, signer, storage } = orders;
	const eventSecret = "whsec_of_the_books";
	const books = createBooks({ now, secret: eventSecret });
	const shop = {
		...{ db, now, environment, log, signer, storage, jobs: queue.jobs, provider: books.provider },
		calendar: { ...parseOpeningHours(environment.openingHours), isHoliday: isFrenchHoliday },
		limits: () => ({ take: async () => ({ ok: true as const }) }),
	};

	/** The fixture's clock in milliseconds. */
	const clock = {
		get at() {
			return now().getTime();
		},
		set at(milliseconds) {
			orders.clock.now = new Date(milliseconds);
		},
	};

	/** A customer's order, from the form to the payment page. @param key the same key with the same e-mail is the same order. */
	const checkOut = (
		key: string = crypto.randomUUID(),
		{ email = "ada@example.fr", client = "a client", ...other }: Partial<typeof shop & Who> = {},
	) =>
		startCheckout(
			{ ...shop, ...other },
			{
				values: readOrderValues(
					new URLSearchParams({ siren: "552032534", service: "express", email, firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" }),
				),
				...{ amount: 5900, deliveryMethod: "email", consents: null, idempotencyKey: key, client },
			},
		);
	interface Who {
		email: string;
		client: string;
	}

	/** The sessions of an order in the provider's books, oldest first. */
	const sessionsOf = (orderId: string) => [...books.sessions.values()].filter((session) => session.orderId === orderId);

	return {
		...{ db, clock, now, books, queue, lines, shop, checkOut, sessionsOf },
		...{ getOrder: orders.getOrder, close: orders.close },
		pass(milliseconds: number): void {
			clock.at += milliseconds;
		},
		/** A Monday, 10 h in Paris; the provider and the queue know nothing. Orders of before stay. */
		async startAfresh(): Promise<void> {
			orders.clock.now = orders.start;
			books.clear();
			lines.length = 0;
			await queue.deleteAll();
		},
		/** Nothing was ordered yet, for tests that look at all orders. */
		deleteOrders: () => sql`truncate orders, payment_events, reconciliations cascade`.execute(db),
		/** An order that waits for its payment. */
		async place(who?: Partial<Who>) {
			const started = await checkOut(undefined, who);
			if (!started.ok) throw new Error(`no order was made: ${started.code}`);
			const [session] = sessionsOf(started.orderId);
			if (!session) throw new Error("no session was opened");
			return { id: started.orderId, session };
		},
		/** The customer pays at the provider, and nobody tells the shop. */
		pay(session: PaymentSession, change?: Parameters<typeof books.pay>[1]) {
			books.pay(session, change);
			const payment = books.payments.get(session.paymentId ?? "");
			if (!payment) throw new Error("no payment was made");
			return payment;
		},
		/** Tells the shop of something, as the provider does. @returns the status of its answer. */
		tell(type: string, object: object, { id = `evt_${crypto.randomUUID()}`, ...other }: Partial<typeof shop> & { id?: string } = {}) {
			const body = JSON.stringify({ id, object: "event", type, data: { object } });
			return handleEvent({ ...shop, ...other }, body, signEvent(body, eventSecret, now()));
		},
		historyOf: (id: string) => orders.getEventTypes({ id }),
		mailsOf: (id: string) => orders.getMailKinds({ id }),
		/**
		 * Does `first` in a transaction that holds the order's lock, begins `second` meanwhile, and once that waits for somebody, or is done,
		 * does `last` and commits: the order of events is certain.
		 * @returns how the second ended, and whether it had waited.
		 */
		async while<Value>(
			orderId: string,
			first: (trx: Trx) => Promise<unknown>,
			second: () => Promise<Value>,
			last: (trx: Trx) => Promise<unknown> = async () => {},
		): Promise<{ value?: Value; error?: unknown; waited: boolean }> {
			let [done, waited] = [false, false];
			const ended = await orders.whileLocked(
				{ id: orderId },
				{
					before: first,
					after(trx) {
						waited = !done;
						return last(trx);
					},
				},
				() =>
					second()
						.then(
							(value) => ({ value }),
							(error: unknown) => ({ error }),
						)
						.finally(() => {
							done = true;
						}),
			);
			return { ...ended, waited };
		},
	};
}
