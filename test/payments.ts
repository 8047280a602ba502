import { cents } from "../app/catalogue/money.ts";
import type { ServiceCode } from "../app/catalogue/services.ts";
import { toSentLine } from "../app/checkout/form/form-line.ts";
import { readOrderValues } from "../app/checkout/form/read-order-values.ts";
import { checkOutDrafts, startCheckout } from "../app/checkout/payment/start-checkout.server.ts";
import type { Siren } from "../app/companies/siren.ts";
import { jobKinds } from "../app/job-kinds.ts";
import { listOrdersOfPurchase } from "../app/orders/orders.store.server.ts";
import { handleEvent } from "../app/payments/handle-event.server.ts";
import type { PaymentProvider, PaymentSession, SessionRequest } from "../app/payments/provider.ts";
import { sandboxEventSecret } from "../app/payments/sandbox/sandbox-events.server.ts";
import { paySandbox } from "../app/payments/sandbox/sandbox-payment.server.ts";
import { sandboxProvider } from "../app/payments/sandbox/sandbox-provider.server.ts";
import { signEvent } from "../app/payments/stripe/signed-event.server.ts";
import { stripeProvider } from "../app/payments/stripe/stripe-provider.server.ts";
import { createBooks } from "../proof/histories/books.ts";
import { createQueue } from "../proof/histories/queue.ts";
import type { Trx } from "../server/database/database.ts";
import { startJobs } from "../server/jobs.ts";
import { createLog } from "../server/observability/log.ts";
import { createSigner } from "../server/signing.ts";
import { createTestDatabase } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import { startFakeStripe } from "./fakes/stripe/stripe.ts";
import { draftOrder } from "./fixtures/drafts.ts";
import { createOrderFixture } from "./orders.ts";

/** A provider, with the actions of the customer, of the customer's bank, and of the operator on the provider's pages. */
export interface PaymentScene {
	provider: PaymentProvider;
	eventSecret: string;
	pay(sessionId: string): Promise<unknown>;
	refundElsewhere(paymentId: string, amount: number): Promise<unknown>;
	dispute(paymentId: string): Promise<unknown>;
	endDispute(paymentId: string, outcome: "won" | "lost"): Promise<unknown>;
	/** All that is not paid out yet reaches the bank. */
	payOut(advanceClock: (milliseconds: number) => void): Promise<unknown>;
	/** The next refund succeeds and its answer is lost, also in the client's retries. */
	loseAnswers(): void;
	close(): Promise<void>;
}

/** The sandbox on a separate database; no job runs. */
export async function sandboxScene(now: () => Date) {
	const { db, connection, close } = await createTestDatabase();
	const jobs = await startJobs(connection, jobKinds, createLog("silent"), { supervise: false });
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
		// the sandbox pays out each day, and its money needs two days
		payOut: async (advanceClock) => advanceClock(3 * 86_400_000),
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
		payOut: async () => stripe.payOut(),
		loseAnswers: () => stripe.failNext({ path: "POST /v1/refunds", kind: "timeout-after-success" }),
		close: stripe.close,
	};
}

/** A request for a session: 59,00 € within the hour, with a new order and key, unless the test changes it. */
export const sessionRequest = (now: Date, change: Partial<SessionRequest> = {}): SessionRequest => ({
	purchaseId: crypto.randomUUID(),
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
 * Jobs wait, and the test delivers events.
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
	const { db, now, lines, environment, log, signer, storage, openingHours } = orders;
	const eventSecret = "whsec_of_the_books";
	const books = createBooks({ now, secret: eventSecret });
	const shop = {
		...{ db, now, environment, log, signer, storage, openingHours, jobs: queue.jobs, provider: books.provider },
		limits: () => ({ take: async () => ({ ok: true as const }) }),
		recordTerms: async () => "0".repeat(64),
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

	/** Places an order up to the payment page. @param key the same key and e-mail give the same order. */
	const checkOut = (
		key: string = crypto.randomUUID(),
		{ email = "ada@example.fr", client = "a client", ...other }: Partial<typeof shop & CustomerKey> = {},
	) =>
		startCheckout(
			{ ...shop, ...other },
			{
				values: readOrderValues(
					new URLSearchParams({ service: "express", email, firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" }),
				),
				lines: [toSentLine("552032534" as Siren)],
				...{ amount: 5900, consents: null, idempotencyKey: key, client },
			},
		);
	interface CustomerKey {
		email: string;
		client: string;
	}

	/** Places a purchase of an order of each service up to the payment page. */
	const checkOutSeveral = (
		services: readonly ServiceCode[],
		{ email = "ada@example.fr", client = "a client", ...other }: Partial<typeof shop & CustomerKey> = {},
	) => {
		const drafts = services.map((service) => draftOrder(service, { email }));
		return checkOutDrafts({ ...shop, ...other }, drafts, { idempotencyKey: crypto.randomUUID(), client });
	};

	/** The sessions of a purchase in the provider's books, oldest first. */
	const listSessions = (purchaseId: string) => [...books.sessions.values()].filter((session) => session.purchaseId === purchaseId);

	return {
		...{ db, clock, now, books, queue, lines, shop, checkOut, checkOutSeveral, listSessions },
		...{ getOrder: orders.getOrder, connection: orders.connection, close: orders.close },
		pass(milliseconds: number): void {
			clock.at += milliseconds;
		},
		/** Resets the clock to a Monday, 10 h in Paris, and empties the provider and the queue. Earlier orders stay. */
		async startAfresh(): Promise<void> {
			orders.clock.now = orders.start;
			books.clear();
			lines.length = 0;
			await queue.deleteAll();
		},
		/** Deletes all orders, for tests that count them. */
		deleteOrders: () => deleteRows(db, "orders", "payment_events", "reconciliations"),
		/** An unpaid order, or the first of an unpaid purchase. @param services of the orders of the purchase; by default one express order. */
		async place({ services, ...who }: Partial<typeof shop & CustomerKey> & { services?: readonly ServiceCode[] } = {}) {
			const started = services ? await checkOutSeveral(services, who) : await checkOut(undefined, who);
			if (!started.ok) throw new Error(`no order was made: ${started.code}`);
			const [session] = listSessions(started.orderId);
			if (!session) throw new Error("no session was opened");
			const ids = (await listOrdersOfPurchase(db, started.orderId)).map(({ id }) => id);
			return { id: started.orderId, ids, session };
		},
		/** The customer pays, and no event reaches the shop. */
		pay(session: PaymentSession, change?: Parameters<typeof books.pay>[1]) {
			books.pay(session, change);
			const payment = books.payments.get(session.paymentId ?? "");
			if (!payment) throw new Error("no payment was made");
			return payment;
		},
		/** Delivers an event to the shop. @returns the status of its answer. */
		tell(type: string, object: object, { id = `evt_${crypto.randomUUID()}`, ...other }: Partial<typeof shop> & { id?: string } = {}) {
			const body = JSON.stringify({ id, object: "event", type, data: { object } });
			return handleEvent({ ...shop, ...other }, body, signEvent(body, eventSecret, now()));
		},
		getEventTypes: (id: string) => orders.getEventTypes({ id }),
		getMailKinds: (id: string) => orders.getMailKinds({ id }),
		/**
		 * Runs `first` in a transaction that holds the order's lock and starts `second`. Once `second` waits for a lock or has ended, runs `last`
		 * and commits, so that the order of events is certain.
		 * @returns the result of `second`, and whether it waited.
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
