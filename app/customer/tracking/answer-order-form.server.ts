import { data, type RouterContextProvider, redirect } from "react-router";
import { typedKeys } from "../../../server/types/objects.ts";
import { redirectToNextOrder } from "../../checkout/form/next-order.server.ts";
import { nextOrderIntent } from "../../checkout/form/next-order.tsx";
import { readValues } from "../../checkout/form/read-values.server.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { requestStatuses } from "../../orders/request-statuses.ts";
import type { Visit } from "../../orders/visit.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { readLine, readLines } from "../../ui/forms/text.ts";
import { setRetryAfter } from "../../web/http.ts";
import { createShare } from "../sharing/create-share.server.ts";
import { toSharedUrl } from "../sharing/describe-sharing.server.ts";
import { endShare } from "../sharing/end-share.server.ts";
import { describeRefusedShare } from "../sharing/share-form-errors.ts";
import { describeRefusedCorrection, toCorrectedUrl } from "./addresses/address-sentences.ts";
import { correctAddresses } from "./addresses/correct-addresses.server.ts";
import { correctLetter } from "./addresses/correct-letter.server.ts";
import { describeRefusedLetter, toTypedLetter } from "./addresses/letter-sentences.ts";
import { askForRefund, describeRefundRequestRefusal } from "./ask-for-refund.server.ts";
import { cancelOrder } from "./cancel-order.server.ts";
import { appendConfirmationCookies } from "./confirmation/confirmation-access.server.ts";
import { redirectToResumedPayment } from "./redirect-to-payment.server.ts";
import { refuseAccess } from "./refuse-access.server.ts";
import { createTrackingCookies } from "./tracking-access.server.ts";
import { createVisit } from "./visits/visits.server.ts";
import { openWithdrawal } from "./withdrawal/answer-withdrawal.server.ts";

/** An order or a purchase on one of its pages: its own, that of the purchase, or the confirmation. */
interface OpenedPage {
	/** Of a purchase its first. */
	order: Order;
	access: AccessKey;
	/** What opened the page; null when the URL of the confirmation did. */
	visit: Visit | null;
	/** The page, to which a request leads back. */
	back: string;
	isConfirmation?: true;
}

type Answer<Result> = (context: Readonly<RouterContextProvider>, page: OpenedPage, form: FormData) => Result;

/**
 * The buttons of all pages of an order; each page shows some of them. Pressed on the page of a purchase, they ask for its first order. Each use
 * case asks itself whether the access of this browser allows it.
 */
const orderForms = {
	async cancel(context, { order, access, back }) {
		const cancelled = await cancelOrder(context.get(shopContext), order.id, access);
		if (cancelled.ok) return redirect(back, 303);
		return cancelled.code === "no-access" ? refuseAccess(access) : data({ refused: tooLate }, { status: requestStatuses[cancelled.code] });
	},
	async "ask-refund"(context, { order, access, back }, form) {
		const message = readLines(form.get("message"));
		const requested = await askForRefund(context.get(shopContext), order.id, access, message);
		if (requested.ok) return redirect(back, 303);
		if (requested.code === "no-access") return refuseAccess(access);
		return data({ refused: describeRefundRequestRefusal(requested.code, message), message }, { status: requestStatuses[requested.code] });
	},
	/** « Mauvaise adresse ? Corriger ». The cookies end with the previous address, so this browser gets others. */
	async "correct-addresses"(context, { order, access, visit, back, isConfirmation }, form) {
		const shop = context.get(shopContext);
		const [email, recipient] = [readEmail(form.get("email")).slice(0, 300), readEmail(form.get("recipient")).slice(0, 300)];
		const typed = { email, recipient, own: form.has("own") };
		const corrected = await correctAddresses(shop, order.id, access, typed);
		if (corrected.ok) {
			const opener = visit ?? createVisit();
			const headers = createTrackingCookies(shop, corrected.order, "purchase", opener);
			if (isConfirmation) appendConfirmationCookies(shop, headers, corrected.order, { visit: opener, pages: [back] });
			return redirect(toCorrectedUrl(back, corrected.corrected), { status: 303, headers });
		}
		if (corrected.code === "no-access") return refuseAccess(access);
		setRetryAfter(context, corrected);
		return data(describeRefusedCorrection(corrected.code, typed), { status: requestStatuses[corrected.code] });
	},
	/** « Corriger l’adresse de livraison » */
	async "correct-letter"(context, { order, access, back }, form) {
		const values = readValues(form);
		const corrected = await correctLetter(context.get(shopContext), order.id, access, values);
		if (corrected.ok) return redirect(toCorrectedUrl(back, "letter"), 303);
		if (corrected.code === "no-access") return refuseAccess(access);
		setRetryAfter(context, corrected);
		return data(describeRefusedLetter(corrected.code, corrected.code === "invalid" ? corrected.errors : {}, toTypedLetter(values)), {
			status: requestStatuses[corrected.code],
		});
	},
	/** « Créer le lien » */
	async share(context, { order, access, back }, form) {
		const read = (name: string) => readLine(form.get(name)).slice(0, 300);
		const typed = { label: read("label"), sender: read("sender"), purpose: read("purpose"), days: read("days"), code: read("code") };
		const made = await createShare(context.get(shopContext), order, access, typed);
		if (made.ok) return redirect(toSharedUrl(back, "cree"), 303);
		if (made.code === "no-access") return refuseAccess(access);
		setRetryAfter(context, made);
		const { status, refused } = describeRefusedShare(made, typed);
		return data(refused, { status });
	},
	async "revoke-share"(context, { order, access, back }, form) {
		const isEnded = await endShare(context.get(shopContext), order, access, readLine(form.get("share")));
		return isEnded ? redirect(toSharedUrl(back, "retire"), 303) : refuseAccess(access);
	},
	withdraw: openWithdrawal,
	resume: redirectToResumedPayment,
	/** Leads to the form of another order, filled in from this one. */
	async [nextOrderIntent](context, { order, access }) {
		if (!mayAsk(access, "order-again")) return refuseAccess(access);
		return redirectToNextOrder(context.get(shopContext), context.get(clientContext).key, order);
	},
} as const satisfies Record<string, Answer<unknown>>;

const tooLate = "Il est trop tard pour annuler\u00a0: l’extrait est déjà prêt ou posté, ou la commande est terminée.";

export const orderIntents = typedKeys(orderForms);

/** Answers a button of an order's page; an unknown one leads back to it. */
export async function answerOrderForm(context: Readonly<RouterContextProvider>, page: OpenedPage, form: FormData) {
	const intent = orderIntents.find((each) => each === form.get("intent"));
	return intent === undefined ? redirect(page.back, 303) : orderForms[intent](context, page, form);
}
