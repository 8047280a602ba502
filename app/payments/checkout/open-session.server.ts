import type { Trx } from "../../../server/database/database.ts";
import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { hashSubject } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import type { Signer } from "../../../server/signing.ts";
import { services } from "../../catalogue/services.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrder } from "../../orders/orders.server.ts";
import { signResumeToken } from "../../orders/resume-token.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { PaymentShop } from "../payment-shop.ts";
import {
	type Attempt,
	insertAttempt,
	insertSession,
	listSessions,
	markAttemptAnswered,
	nextAttempt,
	type RecordedSession,
} from "../payments.store.server.ts";
import { sessionLogName } from "../session-log-name.server.ts";
import { checkSales, refreshOffers, type SalesRefusal } from "./check-sales.server.ts";

const minute = 60_000;

/** How long a customer has to pay: a minute less than Stripe's maximum. */
const sessionLifetime = 24 * 60 * minute - minute;

/** Stripe refuses a session that expires within 30 minutes. */
const shortestLifetime = 31 * minute;

/** Under a limit of orders an hour, an unused payment page frees its place after this time. */
const limitedLifetime = 45 * minute;

export type OpenSessionOutcome =
	/** `url`: the payment page. */
	| { ok: true; url: string }
	/**
	 * `not-payable`: the order is not pending. `unavailable`, `refused`: the provider did not answer, or refused to open a session.
	 * `no-url`: the session has no URL. In all cases the order stays, and its payment can be resumed.
	 */
	| { ok: false; code: "not-payable" | "unavailable" | "refused" | "no-url" }
	| SalesRefusal;

/**
 * Returns the open session of a pending order, or opens a new one. An order has at most one open session: the caller has expired the
 * overdue one.
 * @param client the client's key.
 */
export async function openSession(shop: PaymentShop, order: Order, client: string): Promise<OpenSessionOutcome> {
	const at = shop.now().getTime();
	const { open, attempt, refusal } = await shop.db.transaction().execute(async (trx): Promise<FoundSession> => {
		if ((await lockOrder(trx, order.id))?.status !== "pending") return {};
		const sold = await checkSales(shop, trx, { service: order.product_code, orderId: order.id });
		const sessions = await listSessions(trx, order.id);
		const open = sessions.find((session) => session.status === "open"); // the rule; net: the index payment_sessions_one_open_per_order
		// an open session has its place
		if (!sold.ok && !(open && sold.code === "full")) return { refusal: sold };
		if (open) return { open };
		const times = getAttemptTimes(at, sold.ok && sold.limited);
		return { attempt: await nextAttempt(trx, order.id, { ...times, enoughTime: new Date(at + shortestLifetime) }) };
	});
	if (refusal) await refreshOffers(shop, refusal);
	if (refusal) return refusal;
	if (open) return toOpenedSession(open.url);
	return attempt ? requestSession(shop, { order, attempt, client }) : { ok: false, code: "not-payable" };
}

interface FoundSession {
	open?: RecordedSession;
	attempt?: Attempt;
	refusal?: SalesRefusal;
}

const toOpenedSession = (url: string): OpenSessionOutcome => (url === "" ? { ok: false, code: "no-url" } : { ok: true, url });

/**
 * Inserts the first attempt of an order that the same transaction inserts: no other attempt or session can exist.
 * @param limited there is a limit of orders an hour.
 */
export function insertFirstAttempt({ now }: Context, trx: Trx, order: Order, limited: boolean): Promise<Attempt> {
	return insertAttempt(trx, order.id, 1, getAttemptTimes(now().getTime(), limited));
}

/** Start and expiry of an attempt; the expiry in whole seconds, as the provider counts. */
const getAttemptTimes = (at: number, limited: boolean) => ({
	now: new Date(at),
	expiresAt: new Date(Math.floor((at + (limited ? limitedLifetime : sessionLifetime)) / 1000) * 1000),
});

/** Hashes a client's key with the shop's secret: without it, all IPv4 addresses could be tried against the hash. */
const hashClient = (signer: Signer, client: string) => hashSubject(`${signer.derive("client of a session")} ${client}`);

/** Requests the session of an attempt from the provider, and records it. */
export async function requestSession(
	{ db, now, environment, signer, log, provider }: PaymentShop,
	{ order, attempt, client }: { order: Order; attempt: Attempt; client: string },
): Promise<OpenSessionOutcome> {
	const service = services[order.product_code];
	const created = await provider.createSession({
		orderId: order.id,
		key: `order-${order.id}-${attempt.attempt}`,
		amount: order.price_cents,
		productName: `${service.name}, SIREN ${order.siren}`,
		customerEmail: order.customer_email,
		// the provider replaces the braces by the session's id
		successUrl: `${absoluteUrl(environment.baseUrl, "/confirmation/:sessionId?")}/{CHECKOUT_SESSION_ID}`,
		cancelUrl: absoluteUrl(environment.baseUrl, "/paiement/reprendre/:token", { token: signResumeToken(signer, order) }),
		expiresAt: attempt.expires_at,
	});
	if (!created.ok && created.code === "unavailable") {
		log.error({ order: order.id }, "the payment provider cannot be reached");
		// a used-up key is replaced: if a session exists under it, nobody has its URL, and it expires
		if (!created.keyUsedUp) return { ok: false, code: "unavailable" };
	}
	await db.transaction().execute(async (trx) => {
		await lockOrder(trx, order.id); // a concurrent request sees the answered attempt with its session
		await markAttemptAnswered(trx, attempt, now());
		if (!created.ok) return;
		await insertSession(trx, order.id, created.session, { openedBy: hashClient(signer, client), now: now() });
		logOrderEvent(trx, order.id, "session_opened", { attempt: attempt.attempt, session: sessionLogName(created.session.id) });
	});
	if (created.ok) return toOpenedSession(created.session.url);
	if (created.code === "refused")
		log.error({ order: order.id, code: created.providerCode }, "the payment provider refused to open a session");
	return { ok: false, code: created.code };
}
