import { href } from "react-router";
import { describeOrderWatch } from "../../extract-watch/describe-watch.server.ts";
import { nameExtract } from "../../order-emails/email-parts.ts";
import { findOrderedCompany, isSoleTrader } from "../../order-emails/name-document.server.ts";
import { mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { findOrderToShow } from "../../payments/checkout/resume-payment.server.ts";
import type { RecordedSession } from "../../payments/payment-sessions.server.ts";
import type { Shop } from "../../shop.ts";
import { formatSupportHours } from "../../ui/french-spaces.ts";
import { describeCorrected } from "../addresses/corrected-notice.ts";
import { describeAddresses } from "../addresses/describe-addresses.server.ts";
import { describeOrder } from "../describe-order.server.ts";
import { describeLetter, describeWait } from "../order/describe-wait.server.ts";
import { mayStillChange } from "../order-state.tsx";
import { describePurchase } from "../purchase/describe-purchase.server.ts";
import { createTrackingCookies } from "../tracking-access.server.ts";
import type { Visit } from "../visits/visits.server.ts";
import { getConfirmationAccess } from "./confirmation-access.server.ts";
import { createForwardUrl } from "./forward-url.ts";

type DescribedConfirmation = Awaited<ReturnType<typeof describeConfirmation>>;

/** What the page gets. */
export type Confirmation =
	| Exclude<DescribedConfirmation, { state: "order" | "purchase" }>
	| Omit<Extract<DescribedConfirmation, { state: "order" }>, "trackingCookies">
	| Omit<Extract<DescribedConfirmation, { state: "purchase" }>, "trackingCookies">;

/**
 * The confirmation of a payment session's order, as far as this browser may see it. `closed`: it may no longer see anything.
 * The open sessions are synced with the provider first, whose answer alone makes an order paid.
 */
export async function describeConfirmation(shop: Shop, request: Request, session: RecordedSession) {
	const stored = await findOrder(shop.db, session.order_id);
	// checked before the sync: a page without access costs no request to the provider
	if (stored && session.status !== "open" && getConfirmationAccess(shop, request, session, stored) === null)
		return describeNoAccess(stored);
	const refreshed = stored && (await findOrderToShow(shop, stored.id));
	if (refreshed === null) throw new Error("a payment session has no order");
	const { order, payable } = refreshed;
	const access = getConfirmationAccess(shop, request, session, order);
	if (access === null) return describeNoAccess(order);

	// the same at each reload, so that « Quitter » closes what any of them opened
	const visit: Visit = { kind: "own", id: session.id };
	const purchase = await describePurchase(shop, refreshed, access);
	if (purchase !== null) {
		const liveUrl = purchase.mayChange ? href("/confirmation/:sessionId/direct", { sessionId: session.id }) : null;
		// for the browser that ordered: the page of the purchase asks for nothing
		const trackingCookies = access === "purchase" ? createTrackingCookies(shop, order, "full", visit) : null;
		return { state: "purchase" as const, purchase, liveUrl, refreshWithoutScripts: purchase.mayChange, trackingCookies };
	}
	const described = await describeOrder(shop, order, access);
	const { shop: identity } = shop.environment;
	const extract = described.documents.find((document) => document.doc_type === "kbis");
	const extractName = nameExtract({ soleTrader: isSoleTrader(await findOrderedCompany(shop.db, order)) });
	const wait = await describeWait(shop, order, access);
	const addresses = describeAddresses(order, access);
	// only these fields: all of them are visible in the page's source
	return {
		state: "order" as const,
		order: described.order,
		progress: described.progress,
		refundDueBy: described.refundDueBy,
		stepTimes: described.stepTimes,
		...wait,
		paid: described.paid,
		payable,
		extractUrl: extract?.url ?? null,
		extractName,
		forwardUrl: extract ? createForwardUrl(shop.environment.baseUrl, order, { ...extract, name: extractName }) : null,
		invoiceUrl: described.documents.find((document) => document.doc_type === "invoice")?.url ?? null,
		customerName: mayAsk(access, "read-addresses") ? `${order.first_name} ${order.last_name}` : null,
		addresses,
		letter: describeLetter(order, access),
		cancelled: described.cancelled,
		watch: await describeOrderWatch(shop.db, order, shop.now()),
		watchEnded: order.watch_ended_at !== null,
		corrected: addresses && describeCorrected(request, { events: described.events, sentTo: wait.sentTo, now: shop.now() }),
		support: { phone: identity.phone, email: identity.email, hours: formatSupportHours(identity.supportHours) },
		liveUrl: mayStillChange(described) ? href("/confirmation/:sessionId/direct", { sessionId: session.id }) : null,
		refreshWithoutScripts: mayStillChange(described),
		/** For the browser that ordered: « Suivre ma commande » asks for nothing. */
		trackingCookies: access === "purchase" && described.paid ? createTrackingCookies(shop, order, "full", visit) : null,
	};
}

const describeNoAccess = (order: Order) => ({ state: order.erased_at === null ? ("closed" as const) : ("erased" as const) });
