import type { Trx } from "../../../server/database/database.ts";
import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { hashSubject } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import type { Signer } from "../../../server/signing.ts";
import { services } from "../../catalogue/services.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrder } from "../../orders/orders.server.ts";
import { resumeToken } from "../../orders/resume-token.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { PaymentShop } from "../payment-shop.ts";
import {
	type Attempt,
	insertAttempt,
	insertSession,
	listSessions,
	nextAttempt,
	type RecordedSession,
	setAttemptAnswered,
} from "../payments.store.server.ts";
import { sessionLogName } from "../session-log-name.server.ts";

const minute = 60_000;

/** How long a customer has to pay: a minute less than the longest that Stripe allows. */
const sessionLifetime = 24 * 60 * minute - minute;

/** Stripe takes nothing that ends within 30 minutes. */
const shortestLifetime = 31 * minute;

export type OpenedSession =
	/** `url`: where the order is paid. */
	| { ok: true; url: string }
	/**
	 * `not-payable`: the order does not wait for a payment. `unavailable`, `refused`: the provider did not answer, or will not open a session.
	 * `no-url`: it opened one and does not say where it is paid. The order stays, and its payment can be resumed.
	 */
	| { ok: false; code: "not-payable" | "unavailable" | "refused" | "no-url" };

/**
 * Finds where a pending order can be paid: in its open session, or in a new one. An order has one open session at most: the caller has
 * ended the one that ran out.
 * @param client the key of the client who asks.
 */
export async function openSession(shop: PaymentShop, order: Order, client: string): Promise<OpenedSession> {
	const at = shop.now().getTime();
	const { open, attempt } = await shop.db.transaction().execute(async (trx): Promise<{ open?: RecordedSession; attempt?: Attempt }> => {
		if ((await lockOrder(trx, order.id))?.status !== "pending") return {};
		const sessions = await listSessions(trx, order.id);
		const open = sessions.find((session) => session.status === "open"); // the rule; net: the index payment_sessions_one_open_per_order
		return open ? { open } : { attempt: await nextAttempt(trx, order.id, { ...termsOf(at), enoughTime: new Date(at + shortestLifetime) }) };
	});
	if (open) return toOpenedSession(open.url);
	return attempt ? requestSession(shop, { order, attempt, client }) : { ok: false, code: "not-payable" };
}

const toOpenedSession = (url: string): OpenedSession => (url === "" ? { ok: false, code: "no-url" } : { ok: true, url });

/** Records the first attempt for an order that this transaction inserts: nobody else knows the order, and it has no session. */
export function insertFirstAttempt({ now }: Context, trx: Trx, order: Order): Promise<Attempt> {
	return insertAttempt(trx, order.id, 1, termsOf(now().getTime()));
}

/** From when on, and until when; in whole seconds, as the provider counts. */
const termsOf = (at: number) => ({ now: new Date(at), expiresAt: new Date(Math.floor((at + sessionLifetime) / 1000) * 1000) });

/** A client's key is hashed with the shop's secret: all four thousand million IP addresses are soon tried. */
const hashClient = (signer: Signer, client: string) => hashSubject(`${signer.derive("client of a session")} ${client}`);

/** Asks the provider for the session of one attempt, and records it. */
export async function requestSession(
	{ db, now, environment, signer, log, provider }: PaymentShop,
	{ order, attempt, client }: { order: Order; attempt: Attempt; client: string },
): Promise<OpenedSession> {
	const service = services[order.product_code];
	const created = await provider.createSession({
		orderId: order.id,
		key: `order-${order.id}-${attempt.attempt}`,
		amount: order.price_cents,
		productName: `${service.name}, SIREN ${order.siren}`,
		customerEmail: order.customer_email,
		// the provider puts the id of the session in the place of the braces
		successUrl: `${absoluteUrl(environment.baseUrl, "/confirmation/:sessionId?")}/{CHECKOUT_SESSION_ID}`,
		// counted from the attempt: a request that is repeated under one key must be the same
		cancelUrl: absoluteUrl(environment.baseUrl, "/paiement/reprendre/:token", {
			token: resumeToken.sign(signer, order.id, attempt.created_at),
		}),
		expiresAt: attempt.expires_at,
	});
	if (!created.ok && created.code === "unavailable") {
		log.error({ order: order.id }, "the payment provider cannot be reached");
		// a key that is used up gives way to another: nobody knows the URL of the session that may exist, and it expires
		if (!created.keyUsedUp) return { ok: false, code: "unavailable" };
	}
	await db.transaction().execute(async (trx) => {
		await lockOrder(trx, order.id); // another request sees both the answer and the session, or neither
		await setAttemptAnswered(trx, attempt, now());
		if (!created.ok) return;
		await insertSession(trx, order.id, created.session, { openedBy: hashClient(signer, client), now: now() });
		logOrderEvent(trx, order.id, "session_opened", { attempt: attempt.attempt, session: sessionLogName(created.session.id) });
	});
	if (created.ok) return toOpenedSession(created.session.url);
	if (created.code === "refused")
		log.error({ order: order.id, code: created.providerCode }, "the payment provider refused to open a session");
	return { ok: false, code: created.code };
}
