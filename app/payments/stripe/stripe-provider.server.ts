import Stripe from "stripe";
import type { Environment } from "../../../server/environment/environment.ts";
import { isKeyOf } from "../../../server/types/objects.ts";
import { isUuid } from "../../../server/uuid.ts";
import type { PaymentTexts } from "../../catalogue/means-of-payment.ts";
import { toAsciiEmail } from "../../mail/email-address.ts";
import type {
	BookedPayment,
	Outage,
	Payment,
	PaymentProvider,
	PaymentSession,
	ProviderMovement,
	ProviderPayout,
	ProviderRefund,
	Refusal,
} from "../provider.ts";
import { readSignedEvent } from "./signed-event.server.ts";
import { attempt, find, getId, list, toCreationOutcome } from "./stripe-calls.server.ts";

/** Stripe's certificate, which the badge names. The shop has none. */
const certification = "https://docs.stripe.com/security";

export const stripeTexts: PaymentTexts = {
	name: "Stripe (Stripe Payments Europe, Limited, Irlande)",
	assurance: "Paiement Stripe",
	cards: ["Visa", "Mastercard", "American Express"],
	// docs/decisions/0015-apple-pay-only-where-stripe-offers-it.md
	cardNote: "Apple Pay aussi, si la page de paiement le propose sur votre appareil.",
	cardSentence: "Vous saisissez le numéro de votre carte chez ce prestataire\u00a0; il ne passe jamais par nos serveurs.",
	policies:
		"Sur sa page, Stripe applique sa [politique de confidentialité](https://stripe.com/fr/privacy) et sa [politique relative aux cookies](https://stripe.com/cookies-policy/legal).",
	badge: `Confié à Stripe, qui publie sa [certification PCI DSS](${certification})\u00a0: nous n’avons jamais accès à votre carte.`,
};

/**
 * The provider that collects real money: Stripe Checkout, payments in EUR by card, API 2026-10-28.endive.
 * Sources: docs.stripe.com/api/checkout/sessions, /api/refunds, /api/disputes, /api/idempotent_requests.
 */
export function stripeProvider(settings: NonNullable<Environment["stripe"]>, now: () => Date): PaymentProvider {
	const { secretKey, webhookSecret, apiBase, live } = settings;
	const stripe = new Stripe(secretKey, { maxNetworkRetries: 2, timeout: 10_000, telemetry: false, ...parseApiBase(apiBase) });

	async function findSession(id: string): Promise<{ ok: true; session: PaymentSession | null } | Outage> {
		const found = await find(id, /^cs_\w+$/, () => stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] }));
		return found.ok ? { ok: true, session: found.value && toSession(found.value) } : found;
	}

	/** Every refund of a payment, newest first. */
	const listRefunds = (paymentId: string) =>
		stripe.refunds.list({ payment_intent: paymentId, limit: 100 }).autoPagingToArray({ limit: 10_000 });

	return {
		texts: stripeTexts,
		live,
		simulated: false,
		pageOrigin: apiBase ? new URL(apiBase).origin : "https://checkout.stripe.com",
		async createSession(request) {
			const created = await attempt(
				() =>
					stripe.checkout.sessions.create(
						{
							mode: "payment",
							locale: "fr",
							client_reference_id: request.purchaseId,
							metadata: { purchase_id: request.purchaseId },
							payment_intent_data: { metadata: { purchase_id: request.purchaseId } },
							customer_email: toAsciiEmail(request.customerEmail),
							allowed_payment_method_types: ["card"],
							// we number our own invoices
							invoice_creation: { enabled: false },
							// the customer pays the price that was shown, in its currency
							adaptive_pricing: { enabled: false },
							line_items: [
								{
									quantity: 1,
									price_data: {
										currency: "eur",
										unit_amount: request.amount,
										tax_behavior: "inclusive",
										product_data: { name: request.productName },
									},
								},
							],
							expires_at: Math.floor(request.expiresAt.getTime() / 1000),
							success_url: request.successUrl,
							cancel_url: request.cancelUrl,
						},
						{ idempotencyKey: request.key },
					),
				toCreationOutcome,
			);
			if (!created.ok && created.code === "refused" && isEmailRefused(created)) return { ok: false, code: "email-refused" };
			if (!created.ok) return created;
			// a replayed answer is as old as the first call: the session may have been paid since
			if (created.value.lastResponse.headers["idempotent-replayed"] !== "true") return { ok: true, session: toSession(created.value) };
			const found = await findSession(created.value.id);
			return found.ok ? { ok: true, session: found.session ?? toSession(created.value) } : found;
		},
		findSession,
		async expireSession(id) {
			const expired = await attempt(() => stripe.checkout.sessions.expire(id));
			if (expired.ok) return { ok: true, session: toSession(expired.value) };
			// Stripe refuses to expire a session that is not open
			return expired.code === "refused" ? findSession(id) : expired;
		},
		async findPayment(id) {
			const found = await find(id, /^pi_\w+$/, () =>
				Promise.all([stripe.paymentIntents.retrieve(id), listRefunds(id), stripe.disputes.list({ payment_intent: id, limit: 1 })]),
			);
			if (!found.ok) return found;
			if (found.value === null) return { ok: true, payment: null };
			const [intent, refunds, { data: disputes }] = found.value;
			const [dispute] = disputes;
			const payment: Payment = {
				...describeIntent(intent),
				refunds: refunds.map(toRefund),
				dispute: dispute ? toDispute(dispute) : null,
			};
			return { ok: true, payment };
		},
		async refund({ paymentId, amount, key, reference }) {
			// keys expire after 24 hours, the list of refunds does not
			const listed = await attempt(() => listRefunds(paymentId));
			if (!listed.ok) return listed;
			const existing = listed.value.find((refund) => refund.metadata?.reference === reference && refund.amount === amount);
			if (existing) return { ok: true, refund: toRefund(existing) };
			const created = await attempt(() =>
				stripe.refunds.create({ payment_intent: paymentId, amount, metadata: { reference } }, { idempotencyKey: key }),
			);
			return created.ok ? { ok: true, refund: toRefund(created.value) } : created;
		},
		async listPayments(since, until) {
			const window = { gte: Math.ceil(since.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) };
			const listed = await list(async () => {
				const payments: BookedPayment[] = [];
				for await (const intent of stripe.paymentIntents.list({ created: window, limit: 100, expand: ["data.latest_charge"] })) {
					if (intent.status !== "succeeded") continue;
					const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
					payments.push({ ...describeIntent(intent), refunded: charge?.amount_refunded ?? 0 });
				}
				return payments;
			});
			return listed.ok ? { ok: true, payments: listed.values } : listed;
		},
		...stripeBalance(stripe),
		readEvent: (rawBody, signature) => readSignedEvent(rawBody, signature, webhookSecret, now()),
		async ready() {
			const startedAt = now().getTime();
			const answer = await attempt(() => stripe.balance.retrieve({}, { timeout: 3_000, maxNetworkRetries: 0 }));
			if (!answer.ok) return { ok: false, code: "unavailable" };
			// the header has whole seconds
			const theirs = Date.parse(answer.value.lastResponse.headers.date ?? "") + 500;
			return { ok: true, clockAhead: Number.isNaN(theirs) ? null : (startedAt + now().getTime()) / 2 - theirs };
		},
		readyTtlMs: 5000,
	};
}

/** Source: docs.stripe.com/error-codes#email-invalid. Some answers name the parameter alone. */
const isEmailRefused = ({ providerCode, parameter = "" }: Refusal): boolean => providerCode === "email_invalid" || /email/.test(parameter);

/** The SDK's connection settings; without a base URL, Stripe itself. */
export function parseApiBase(apiBase: string | undefined): Pick<Stripe.StripeConfig, "host" | "port" | "protocol"> {
	if (apiBase === undefined) return {};
	const { hostname, port, protocol } = new URL(apiBase);
	const scheme = protocol === "http:" ? "http" : "https";
	return { host: hostname, port: port || (scheme === "http" ? 80 : 443), protocol: scheme };
}

function toSession(session: Stripe.Checkout.Session): PaymentSession {
	const intent = session.payment_intent;
	const paid = session.payment_status === "paid";
	// after a failed payment the session stays complete, and can no longer be paid
	const failed = !paid && typeof intent === "object" && ["canceled", "requires_payment_method"].includes(intent?.status ?? "");
	const open = session.status === "open";
	return {
		id: session.id,
		url: open ? (session.url ?? "") : "",
		status: open ? "open" : session.status === "complete" && !failed ? "complete" : "expired",
		paymentStatus: paid ? "paid" : "unpaid",
		paymentId: getId(intent),
		amount: session.amount_total ?? 0,
		currency: session.currency ?? "",
		purchaseId: readPurchaseId(session.metadata),
		live: session.livemode,
		expiresAt: new Date(session.expires_at * 1000),
	};
}

/** @returns null for a payment of another program, whose id may be no UUID. */
function readPurchaseId(metadata: Stripe.Metadata | null): string | null {
	const id = metadata?.purchase_id;
	return id !== undefined && isUuid(id) ? id : null;
}

const describeIntent = (intent: Stripe.PaymentIntent) => ({
	id: intent.id,
	purchaseId: readPurchaseId(intent.metadata),
	amount: intent.amount_received,
	currency: intent.currency,
	live: intent.livemode,
	createdAt: new Date(intent.created * 1000),
});

/** Source: docs.stripe.com/api/refunds/object. A canceled refund gave nothing back. */
function toRefund({ id, amount, status, metadata }: Stripe.Refund): ProviderRefund {
	const outcome = status === "failed" || status === "canceled" ? "failed" : status === "succeeded" ? "succeeded" : "pending";
	return { id, amount, status: outcome, reference: metadata?.reference ?? null };
}

/**
 * Source: docs.stripe.com/api/disputes/object. An inquiry closed without a dispute (`warning_closed`) is won: nothing was
 * withdrawn. `prevented` is lost: the money was returned before a dispute opened. An unknown status is open.
 */
function toDispute({ id, status, reason, evidence_details: evidence }: Stripe.Dispute): NonNullable<Payment["dispute"]> {
	const dueAt = evidence?.due_by ? new Date(evidence.due_by * 1000) : null;
	return { id, status: disputeStatus(status), reason, dueAt };
}

function disputeStatus(status: Stripe.Dispute["status"]): "open" | "won" | "lost" {
	if (status === "won" || status === "warning_closed") return "won";
	return status === "lost" || status === "prevented" ? "lost" : "open";
}

/**
 * The balance at Stripe: its transactions with their fees, and its payouts. A restricted key needs read access to « Balance transaction
 * sources » and « Payouts ». Sources: docs.stripe.com/api/balance_transactions, /api/payouts, docs.stripe.com/payouts/reconciliation.
 */
function stripeBalance(stripe: Stripe): Pick<PaymentProvider, "listMovements" | "listPayouts" | "listPaidOut"> {
	return {
		async listMovements(since, until) {
			const listed = await list(async () => {
				const movements: ProviderMovement[] = [];
				const transactions = stripe.balanceTransactions.list({ created: toWindow(since, until), limit: 100, expand: ["data.source"] });
				for await (const transaction of transactions) movements.push(toMovement(transaction));
				return movements;
			});
			return listed.ok ? { ok: true, movements: listed.values } : listed;
		},
		async listPayouts(since, until) {
			const listed = await list(async () => {
				const payouts: ProviderPayout[] = [];
				for await (const payout of stripe.payouts.list({ created: toWindow(since, until), limit: 100 })) payouts.push(toPayout(payout));
				return payouts;
			});
			return listed.ok ? { ok: true, payouts: listed.values } : listed;
		},
		async listPaidOut(payout) {
			const listed = await list(async () => {
				const ids: string[] = [];
				for await (const { id, type } of stripe.balanceTransactions.list({ payout, limit: 100 })) if (type !== "payout") ids.push(id);
				return ids;
			});
			return listed.ok ? { ok: true, movementIds: listed.values } : listed;
		},
	};
}

const toWindow = (since: Date, until: Date) => ({ gte: Math.ceil(since.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) });

/** Stripe's categories for accounting; all others are `other`. Source: docs.stripe.com/reports/reporting-categories. */
const categories = {
	charge: "charge",
	refund: "refund",
	refund_failure: "refund-returned",
	dispute: "dispute",
	dispute_reversal: "dispute-won",
	fee: "fee",
	payout: "payout",
	payout_reversal: "payout-returned",
} as const satisfies Record<string, ProviderMovement["kind"]>;

function toMovement({ id, amount, fee, currency, created, reporting_category, source }: Stripe.BalanceTransaction): ProviderMovement {
	const subject = typeof source === "object" && source !== null ? source : null;
	return {
		id,
		amount,
		fee,
		currency,
		at: new Date(created * 1000),
		kind: isKeyOf(categories, reporting_category) ? categories[reporting_category] : "other",
		// charges, refunds and disputes name their payment
		paymentId: subject !== null && "payment_intent" in subject ? getId(subject.payment_intent) : null,
		sourceId: getId(source),
	};
}

/** Source: docs.stripe.com/api/payouts/object. */
function toPayout(payout: Stripe.Payout): ProviderPayout {
	const { id, amount, currency, status, automatic, reconciliation_status, created, arrival_date } = payout;
	return {
		id,
		amount,
		currency,
		status: status === "paid" ? "paid" : status === "failed" || status === "canceled" ? "failed" : "pending",
		isItemised: automatic && reconciliation_status === "completed",
		createdAt: new Date(created * 1000),
		arrivesAt: new Date(arrival_date * 1000),
	};
}
