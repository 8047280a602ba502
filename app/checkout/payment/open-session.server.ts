import type { Trx } from "../../../server/database/database.ts";
import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { hashSubject } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import type { Signer } from "../../../server/signing.ts";
import { services } from "../../catalogue/services.ts";
import { createResumePath } from "../../orders/keys.server.ts";
import { type Order, sumPrices } from "../../orders/order.ts";
import { lockOrder, lockPurchase, saveOffers } from "../../orders/orders.store.server.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
import {
	type Attempt,
	insertAttempt,
	insertSession,
	listSessions,
	markAttemptAnswered,
	nextAttempt,
	type RecordedSession,
} from "../../payments/payments.store.server.ts";
import { sessionLogName } from "../../payments/session-log-name.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { checkSales, refreshOffers, type SalesRefusal, type Sold } from "./check-sales.server.ts";

const minute = 60_000;

/** How long a customer has to pay: an hour less than Stripe's maximum, so that the shop still sells when its clock is ahead. */
const sessionLifetime = 23 * 60 * minute;

/** Stripe refuses a session that expires within 30 minutes. */
const shortestLifetime = 31 * minute;

/** Under a limit of orders an hour, a payment page ends sooner: what is paid long after its place was freed would exceed the limit. */
const limitedLifetime = 45 * minute;

export type OpenSessionOutcome =
	/** `url`: the payment page. */
	| { ok: true; url: string }
	/**
	 * `not-payable`: the purchase is not pending. `unavailable`, `refused`: the provider did not answer, or refused to open a session.
	 * `email-refused`: it refused the customer's address. `no-url`: the session has no URL. In all cases the purchase stays, and its payment
	 * can be resumed.
	 */
	| { ok: false; code: "not-payable" | "unavailable" | "refused" | "email-refused" | "no-url" }
	| SalesRefusal;

/**
 * Returns the open session of a pending purchase, or opens a new one. A purchase has at most one open session: the caller has expired the
 * overdue one.
 * @param client the client's key.
 */
export async function openSession(shop: PaymentShop, purchaseId: string, client: string): Promise<OpenSessionOutcome> {
	const at = shop.now().getTime();
	const { open, next, refusal } = await shop.db.transaction().execute(async (trx): Promise<FoundSession> => {
		const orders = await lockPurchase(trx, purchaseId);
		const [first, ...others] = orders;
		if (first === undefined || orders.some(({ status }) => status !== "pending")) return {};
		const sold = await checkSales(shop, trx, { services: orders.map(({ product_code }) => product_code), purchaseId });
		const sessions = await listSessions(trx, purchaseId);
		const open = sessions.find((session) => session.status === "open"); // the rule; net: the index payment_sessions_one_open_per_order
		// an open session has its place
		if (!sold.ok && !(open && sold.code === "full")) return { refusal: sold };
		// the customer has just read the hours of a payment now
		if (open && sold.ok && sold.hours) await saveOffers(trx, orders, sold.hours, open.expires_at);
		if (open) return { open };
		const terms = { ...getAttemptTimes(at, sold.ok && sold.limited), openedBy: hashClient(shop.signer, client) };
		const attempt = await nextAttempt(trx, purchaseId, { ...terms, enoughTime: new Date(at + shortestLifetime) });
		if (sold.ok && sold.hours) await saveOffers(trx, orders, sold.hours, attempt.expires_at);
		return { next: { orders: [first, ...others], attempt } };
	});
	if (refusal) await refreshOffers(shop, refusal);
	if (refusal) return refusal;
	if (open) return toOpenedSession(open.url);
	return next ? requestSession(shop, { ...next, client }) : { ok: false, code: "not-payable" };
}

/** All orders of a purchase, in the order of its lines. */
type Purchase = readonly [Order, ...Order[]];

interface FoundSession {
	open?: RecordedSession;
	next?: { orders: Purchase; attempt: Attempt };
	refusal?: SalesRefusal;
}

const toOpenedSession = (url: string): OpenSessionOutcome => (url === "" ? { ok: false, code: "no-url" } : { ok: true, url });

/**
 * Inserts the first attempt of a purchase that the same transaction inserts: no other attempt or session can exist. It keeps the hours
 * that were offered for as long as it can be paid.
 * @param client the client's key.
 */
export async function insertFirstAttempt(
	{ now, signer }: Context,
	trx: Trx,
	orders: Purchase,
	{ sold, client }: { sold: Sold | SalesRefusal; client: string },
): Promise<Attempt> {
	const times = getAttemptTimes(now().getTime(), sold.ok && sold.limited);
	const attempt = await insertAttempt(trx, orders[0].id, 1, { ...times, openedBy: hashClient(signer, client) });
	if (sold.ok && sold.hours) await saveOffers(trx, orders, sold.hours, attempt.expires_at);
	return attempt;
}

/** Start and expiry of an attempt; the expiry in whole seconds, as the provider counts. */
const getAttemptTimes = (at: number, limited: boolean) => ({
	now: new Date(at),
	expiresAt: new Date(Math.floor((at + (limited ? limitedLifetime : sessionLifetime)) / 1000) * 1000),
});

const hashClient = (signer: Signer, client: string) => hashSubject(signer.derive("client of a session"), client);

/** Requests the session of an attempt from the provider, and records it. */
export async function requestSession(
	shop: PaymentShop,
	{ orders, attempt, client }: { orders: Purchase; attempt: Attempt; client: string },
): Promise<OpenSessionOutcome> {
	const { db, now, environment, signer, log, provider } = shop;
	const [first] = orders;
	const purchaseId = first.id;
	const created = await provider.createSession({
		purchaseId,
		key: `order-${purchaseId}-${attempt.attempt}`,
		amount: sumPrices(orders),
		productName: nameProduct(orders),
		customerEmail: first.customer_email,
		// the provider replaces the braces by the session's id
		successUrl: `${absoluteUrl(environment.baseUrl, "/confirmation/:sessionId?")}/{CHECKOUT_SESSION_ID}`,
		cancelUrl: `${environment.baseUrl}${createResumePath(shop, first)}`,
		expiresAt: attempt.expires_at,
	});
	if (!created.ok && created.code === "unavailable") {
		log.error({ order: purchaseId }, "the payment provider cannot be reached");
		// a used-up key is replaced: if a session exists under it, nobody has its URL, and it expires
		if (!created.keyUsedUp) return { ok: false, code: "unavailable" };
	}
	await db.transaction().execute(async (trx) => {
		await lockOrder(trx, purchaseId); // a concurrent request sees the answered attempt with its session
		await markAttemptAnswered(trx, attempt, now());
		if (!created.ok) return;
		await insertSession(trx, purchaseId, created.session, { openedBy: hashClient(signer, client), now: now() });
		logOrderEvent(trx, purchaseId, "session_opened", { attempt: attempt.attempt, session: sessionLogName(created.session.id) });
	});
	if (created.ok) return toOpenedSession(created.session.url);
	if (created.code === "refused")
		log.error({ order: purchaseId, code: created.providerCode }, "the payment provider refused to open a session");
	if (created.code === "email-refused") log.warn({ order: purchaseId }, "the payment provider refused the e-mail address of an order");
	return { ok: false, code: created.code };
}

/** What the payment page names: « KBIS Express, SIREN 552032534 », « 5 extraits Kbis ». */
function nameProduct(orders: Purchase): string {
	const [first] = orders;
	if (orders.length > 1) return `${orders.length} extraits Kbis`;
	return `${services[first.product_code].name}, SIREN ${first.siren}`;
}
