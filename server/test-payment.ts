import { cents } from "../app/catalogue/money.ts";
import type { PaymentProvider, SessionRequest } from "../app/payment/provider.ts";
import { sandboxProvider } from "../app/payment/sandbox.server.ts";
import { deliverSandboxEventJob, sandboxEventSecret } from "../app/payment/sandbox-events.server.ts";
import { paySandbox } from "../app/payment/sandbox-payment.server.ts";
import { stripeProvider } from "../app/payment/stripe.server.ts";
import { startStripe } from "../stand-ins/stripe.ts";
import { startJobs } from "./jobs.ts";
import { openLog } from "./log.ts";
import { openSigner } from "./signing.ts";
import { testDatabase } from "./test-database.ts";

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

/** The sandbox, on a database of its own; the jobs that it sends are not done. */
export async function sandboxScene(now: () => Date) {
	const { db, connection, close } = await testDatabase();
	const jobs = await startJobs(connection, [deliverSandboxEventJob], openLog("silent"), { supervise: false });
	const signer = openSigner(["a secret of the tests that is long enough to sign"]);
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

/** Stripe, with its stand-in behind it. */
export async function stripeScene(now: () => Date): Promise<PaymentScene> {
	const stripe = await startStripe({ now });
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

/** What a provider is asked for, but for what a test changes: 59,00 € within the hour, for an order and under a key of its own. */
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
