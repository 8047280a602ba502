import { href } from "react-router";
import { documentLinkHours } from "../../../catalogue/link-lifetimes.ts";
import { formatPeriod } from "../../../catalogue/retention.ts";
import { findOrderToShow } from "../../../checkout/payment/resume-payment.server.ts";
import { nameInSentence, nameInSubject } from "../../../companies/company-name.ts";
import { mayAsk } from "../../../orders/access.ts";
import type { Order } from "../../../orders/order.ts";
import { findOrder } from "../../../orders/orders.store.server.ts";
import type { RecordedSession } from "../../../payments/payments.store.server.ts";
import type { Shop } from "../../../shop.ts";
import { absoluteUrl } from "../../../ui/absolute-url.ts";
import { formatSupportHours } from "../../../ui/french-spaces.ts";
import { nameWithOf } from "../../../ui/name-with-of.ts";
import { describeOrderPage } from "../order/describe-tracked-order.server.ts";
import { describePurchase } from "../purchase/describe-purchase.server.ts";
import { createTrackingCookies } from "../tracking-access.server.ts";
import { getConfirmationAccess } from "./confirmation-access.server.ts";

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
	if (stored && session.status !== "open" && (await getConfirmationAccess(shop, request, session, stored)) === null)
		return describeNoAccess(stored);
	const refreshed = stored && (await findOrderToShow(shop, stored.id));
	if (refreshed === null) throw new Error("a payment session has no order");
	const { order } = refreshed;
	const opened = await getConfirmationAccess(shop, request, session, order);
	if (opened === null) return describeNoAccess(order);
	const { access, visit } = opened;
	const several = await describePurchase(shop, request, refreshed, access);
	if (several !== null) {
		const liveUrl = several.mayChange ? href("/confirmation/:sessionId/direct", { sessionId: session.id }) : null;
		return {
			state: "purchase" as const,
			purchase: several,
			liveUrl,
			changes: several.mayChange,
			// « Quitter » is on the page to which the browser that ordered is led
			quitKey: null,
			/** For the browser that ordered: the pages of the lines ask for nothing. */
			trackingCookies: visit && createTrackingCookies(shop, order, "purchase", visit),
		};
	}
	const page = await describeOrderPage(shop, request, refreshed, access);
	// all that is returned is visible in the page's source
	const { documents, events, may, invoiceAwaited, refundAskedAt, refundAwaited, extractPurged, mayChange, purchase, ...shown } = page;
	const { shop: identity } = shop.environment;
	const extract = documents.find((document) => document.doc_type === "kbis");
	return {
		state: "order" as const,
		...shown,
		/** The download link of the extract, once it is issued. */
		extractUrl: extract?.url ?? null,
		/** Writes an e-mail with the links of the extract, in the customer's own mail program. */
		forwardUrl: extract ? createForwardUrl(shop.environment.baseUrl, order, { ...extract, name: page.extractName }) : null,
		/** The download link of the invoice. Null until it is issued, and with masked access. */
		invoiceUrl: documents.find((document) => document.doc_type === "invoice")?.url ?? null,
		/** Null with masked access. */
		reference: mayAsk(access, "read-reference") ? order.reference : null,
		customerName: mayAsk(access, "read-addresses") ? formatCustomer(order) : null,
		support: { phone: identity.phone, email: identity.email, hours: formatSupportHours(identity.supportHours) },
		liveUrl: mayChange ? href("/confirmation/:sessionId/direct", { sessionId: session.id }) : null,
		changes: mayChange,
		/** For the browser that ordered: « Suivre ma commande » asks for nothing. */
		trackingCookies: visit && page.paid ? createTrackingCookies(shop, order, "purchase", visit) : null,
	};
}

/** « Paul Blanc », « Paul Blanc, Étude Blanc »: who ordered, and the company that is invoiced. */
const formatCustomer = ({ first_name, last_name, billing_company }: Order): string =>
	[`${first_name} ${last_name}`, billing_company].filter(Boolean).join(", ");

const describeNoAccess = (order: Order) => ({ state: order.erased_at === null ? ("closed" as const) : ("erased" as const) });

/**
 * A `mailto:` URL with the links of an extract (RFC 6068). The shop sends nothing: the customer chooses the reader and may add words.
 * @param extract with its name: « extrait Kbis », « extrait K ».
 */
export function createForwardUrl(
	baseUrl: string,
	order: Pick<Order, "company_name" | "siren">,
	extract: { id: string; url: string; name: string },
): string {
	const subject = `E${extract.name.slice(1)} ${nameWithOf(nameInSubject(order))}`;
	const body = [
		"Bonjour,",
		`Voici l’${extract.name} ${nameWithOf(nameInSentence(order))}.`,
		`Téléchargez-le dans les ${formatPeriod({ hours: documentLinkHours })}\u00a0:\r\n${baseUrl}${extract.url}`,
		`Vérifiez que le fichier n’a pas été modifié\u00a0:\r\n${absoluteUrl(baseUrl, "/verifier/:document", { document: extract.id })}`,
	].join("\r\n\r\n");
	return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
