import { data, href, type RouterContextProvider, redirect } from "react-router";
import { readLine, readLines } from "../forms/text.ts";
import { maxEmailLength } from "../mail/email-address.ts";
import { shopContext } from "../shop.ts";
import { logFault, setRetryAfter } from "../web/http.ts";
import { describeRefusedCorrection } from "./addresses/address-sentences.ts";
import { correctAddresses } from "./addresses/correct-addresses.server.ts";
import { toCorrectedUrl } from "./addresses/corrected-notice.ts";
import { askForRefund } from "./ask-for-refund.server.ts";
import { cancelOrder } from "./cancel-order.server.ts";
import { appendConfirmationCookies } from "./confirmation/confirmation-access.server.ts";
import { answerSharingForm } from "./order/answer-sharing-form.server.ts";
import { redirectToResumedPayment } from "./redirect-to-payment.server.ts";
import { describeRefundRequestRefusal } from "./refund-request.ts";
import { searchOrder } from "./search-order.server.ts";
import { createTrackingCookies, openTracking, type TrackedOrder } from "./tracking-access.server.ts";
import { checkTrackingForm, trackingSentences } from "./tracking-form.ts";

/** Handles the form of `/suivi-commande`: opens the order, or shows the form again with an error. */
export async function answerSearch(context: Readonly<RouterContextProvider>, form: FormData) {
	const shop = context.get(shopContext);
	const email = readLine(form.get("email")).slice(0, maxEmailLength);
	const reference = readLine(form.get("orderId")).slice(0, 254);
	const refuse = (status: number, error: string) => data({ error, email, reference }, { status });

	const error = checkTrackingForm(email, reference);
	if (error) return refuse(400, error);
	const found = await searchOrder(context, email, reference).catch(logFault(shop, "an order could not be looked up"));
	if (found === null) return refuse(500, trackingSentences.fault);
	return found.ok ? openTracking(shop, found.order) : refuse(found.status, found.sentence);
}

const tooLate = "Il est trop tard pour annuler\u00a0: l’extrait est déjà prêt ou posté, ou la commande est terminée.";

/**
 * Answers a button of an order's page: « Annuler la commande », « Reprendre le paiement », « Demander le remboursement ». Access by the
 * link of an e-mail may only pay: the e-mail may have been forwarded.
 */
export async function answerTrackedOrder(context: Readonly<RouterContextProvider>, tracked: TrackedOrder, form: FormData) {
	const shop = context.get(shopContext);
	const { order, access, opensPurchase } = tracked;
	const back = href("/suivi/:number", { number: order.order_number });
	const intent = form.get("intent");
	if (intent === "resume") return redirectToResumedPayment(context, order, { back, fullAccess: access === "full" && opensPurchase });
	if (access !== "full") return redirect(back, 303);
	switch (intent) {
		case "cancel":
			return (await cancelOrder(shop, order.id)) ? redirect(back, 303) : data({ refused: tooLate }, { status: 409 });
		case "ask-refund": {
			const message = readLines(form.get("message"));
			const requested = await askForRefund(shop, order.id, message);
			return requested.ok
				? redirect(back, 303)
				: data({ refused: describeRefundRequestRefusal(requested.code, message), message }, { status: 400 });
		}
		case "correct-addresses":
			return answerCorrection(context, order.id, { form, back, tracked });
		case "share":
		case "revoke-share":
			return answerSharingForm(context, order, { form, back });
		default:
			return redirect(back, 303);
	}
}

/**
 * Answers « Mauvaise adresse ? Corriger ». The cookies end with the previous address, so this browser gets others.
 * @param confirmation the page of the confirmation, if the form was there. @param tracked what this browser had access to, if it was on the
 * order's page.
 */
export async function answerCorrection(
	context: Readonly<RouterContextProvider>,
	orderId: string,
	{ form, back, confirmation, tracked }: { form: FormData; back: string; confirmation?: string; tracked?: TrackedOrder },
) {
	const shop = context.get(shopContext);
	const typed = { email: readLine(form.get("email")).slice(0, 300), recipient: readLine(form.get("recipient")).slice(0, 300) };
	const corrected = await correctAddresses(shop, orderId, typed);
	if (corrected.ok) {
		const headers = createTrackingCookies(shop, corrected.order, tracked?.opensPurchase ? "whole" : "full", tracked?.visit);
		if (confirmation) appendConfirmationCookies(shop, headers, corrected.order, confirmation);
		return redirect(toCorrectedUrl(back, corrected.corrected), { status: 303, headers });
	}
	setRetryAfter(context, corrected);
	const status = { limited: 429, "too-late": 409 }[corrected.code as string] ?? 400;
	return data(describeRefusedCorrection(corrected.code, typed), { status });
}
