import type { Trx } from "../../server/database/database.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { hashSubject } from "../../server/rate-limits.ts";
import type { Runtime } from "../../server/runtime.ts";
import { services } from "../catalogue/services.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder } from "../orders/orders.server.ts";
import { resumeToken } from "../orders/resume-token.server.ts";
import { type Attempt, insertAttempt, insertSession, listSessions, nextAttempt, setAttemptAnswered } from "./payments.store.server.ts";
import type { PaymentProvider } from "./provider.ts";
import { sessionLogName } from "./session-log-name.server.ts";

const minute = 60_000;

/** How long a customer has to pay: a minute less than the longest that Stripe allows. */
const sessionLifetime = 24 * 60 * minute - minute;

/** Stripe takes nothing that ends within 30 minutes. */
const shortestLifetime = 31 * minute;

type Deps = Pick<Runtime, "db" | "now" | "environment" | "signer" | "log"> & { provider: PaymentProvider };

/**
 * The address where a pending order can be paid: that of its open session, or of a new one. One open session per order: the caller has
 * ended the one whose time is over.
 * @param client the key of the client who asks.
 * @returns null when the provider cannot be reached, and nothing ("") when it opens a session and does not say where; the order stays and
 * can be resumed.
 */
export async function openSession(deps: Deps, order: Order, client: string): Promise<string | null> {
	const at = deps.now().getTime();
	const next = await deps.db.transaction().execute(async (trx) => {
		if ((await lockOrder(trx, order.id))?.status !== "pending") return null;
		const sessions = await listSessions(trx, order.id);
		const open = sessions.find((session) => session.status === "open"); // the rule; net: the index payment_sessions_one_open_per_order
		return open ? { url: open.url } : nextAttempt(trx, order.id, { ...termsOf(at), enoughTime: new Date(at + shortestLifetime) });
	});
	if (next === null) return null;
	return "url" in next ? next.url : requestSession(deps, order, next, client);
}

/** Writes down the first try for an order that this very transaction makes: nobody else knows it, and it has no session. */
export function firstAttempt({ now }: Pick<Runtime, "now">, trx: Trx, order: Order): Promise<Attempt> {
	return insertAttempt(trx, order.id, 1, termsOf(now().getTime()));
}

/** From when on, and until when; in whole seconds, as the provider counts. */
const termsOf = (at: number) => ({ now: new Date(at), expiresAt: new Date(Math.floor((at + sessionLifetime) / 1000) * 1000) });

/** A client as an open session names it: with the shop's secret, as four thousand million addresses are soon tried. */
const hashClient = (signer: Deps["signer"], client: string) => hashSubject(`${signer.derive("client of a session")} ${client}`);

/** Asks the provider for the session of one try, and keeps it. @returns its address, or null as `openSession` does. */
export async function requestSession(
	{ db, now, environment, signer, log, provider }: Deps,
	order: Order,
	next: Attempt,
	client: string,
): Promise<string | null> {
	const service = services[order.product_code];
	const created = await provider.createSession({
		orderId: order.id,
		key: `order-${order.id}-${next.attempt}`,
		amount: order.price_cents,
		productName: `${service.name}, SIREN ${order.siren}`,
		customerEmail: order.customer_email,
		successUrl: `${environment.baseUrl}/confirmation/{CHECKOUT_SESSION_ID}`,
		// counted from the attempt: asking again under one key must ask for the same
		cancelUrl: `${environment.baseUrl}/paiement/reprendre/${resumeToken.sign(signer, order.id, next.created_at)}`,
		expiresAt: next.expires_at,
	});
	if (!created.ok && created.reason === "unavailable") {
		log.error({ order: order.id }, "the payment provider cannot be reached");
		// with a key that is used up, the next try gets another: what was made all the same has an address that nobody knows, and runs out
		if (!created.keyUsedUp) return null;
	}
	await db.transaction().execute(async (trx) => {
		await lockOrder(trx, order.id); // whoever looks meanwhile sees neither the answer nor the session, or both
		await setAttemptAnswered(trx, next, now());
		if (!created.ok) return;
		await insertSession(trx, order.id, created.session, { openedBy: hashClient(signer, client), now: now() });
		logOrderEvent(trx, order.id, "session_opened", { attempt: next.attempt, session: sessionLogName(created.session.id) });
	});
	if (created.ok) return created.session.url;
	if (created.reason === "refused") log.error({ order: order.id, code: created.code }, "the payment provider refused to open a session");
	return null;
}
