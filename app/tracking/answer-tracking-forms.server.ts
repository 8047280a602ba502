import { data, href, type RouterContextProvider, redirect } from "react-router";
import { typedKeys } from "../../server/types/objects.ts";
import { readLine, readLines } from "../forms/text.ts";
import { maxEmailLength } from "../mail/email-address.ts";
import type { AccessKey } from "../orders/access.ts";
import type { Order } from "../orders/order.ts";
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
import { refuseAccess } from "./refuse-access.server.ts";
import { searchOrder } from "./search-order.server.ts";
import { createTrackingCookies, openTracking, type TrackedOrder } from "./tracking-access.server.ts";
import { checkTrackingForm, trackingSentences } from "./tracking-form.ts";
import type { Visit } from "./visits/visits.server.ts";
import { openWithdrawal } from "./withdrawal/answer-withdrawal.server.ts";

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

interface TrackingForm {
	tracked: TrackedOrder;
	form: FormData;
	/** The page of the order. */
	back: string;
}

/** The buttons of an order's page. « Quitter » needs no access. Each use case asks itself whether the access of this browser allows it. */
const trackingForms = {
	async cancel(context: Readonly<RouterContextProvider>, { tracked: { order, access }, back }: TrackingForm) {
		const cancelled = await cancelOrder(context.get(shopContext), order.id, access);
		if (cancelled.ok) return redirect(back, 303);
		return cancelled.code === "no-access" ? refuseAccess(access) : data({ refused: tooLate }, { status: 409 });
	},
	async "ask-refund"(context: Readonly<RouterContextProvider>, { tracked: { order, access }, form, back }: TrackingForm) {
		const message = readLines(form.get("message"));
		const requested = await askForRefund(context.get(shopContext), order.id, access, message);
		if (requested.ok) return redirect(back, 303);
		if (requested.code === "no-access") return refuseAccess(access);
		return data({ refused: describeRefundRequestRefusal(requested.code, message), message }, { status: 400 });
	},
	"correct-addresses": (context: Readonly<RouterContextProvider>, { tracked, form, back }: TrackingForm) =>
		answerCorrection(context, tracked, { form, back }),
	share: (context: Readonly<RouterContextProvider>, { tracked, form, back }: TrackingForm) =>
		answerSharingForm(context, tracked, { form, back }),
	"revoke-share": (context: Readonly<RouterContextProvider>, { tracked, form, back }: TrackingForm) =>
		answerSharingForm(context, tracked, { form, back }),
	withdraw: (context: Readonly<RouterContextProvider>, { tracked }: TrackingForm) => openWithdrawal(context, tracked),
	resume: (context: Readonly<RouterContextProvider>, { tracked: { order, access }, back }: TrackingForm) =>
		redirectToResumedPayment(context, order, { back, access }),
} as const;

export const trackingIntents = typedKeys(trackingForms);

/** Answers a button of an order's page; an unknown one leads back to it. */
export async function answerTrackedOrder(context: Readonly<RouterContextProvider>, tracked: TrackedOrder, form: FormData) {
	const back = href("/suivi/:number", { number: tracked.order.order_number });
	const intent = trackingIntents.find((each) => each === form.get("intent"));
	return intent === undefined ? redirect(back, 303) : trackingForms[intent](context, { tracked, form, back });
}

/**
 * Answers « Mauvaise adresse ? Corriger ». The cookies end with the previous address, so this browser gets others.
 * @param confirmation the page of the confirmation, if the form was there. @param visit what opened the order's page, if it was there.
 */
export async function answerCorrection(
	context: Readonly<RouterContextProvider>,
	{ order, access, visit }: { order: Order; access: AccessKey; visit?: Visit },
	{ form, back, confirmation }: { form: FormData; back: string; confirmation?: string },
) {
	const shop = context.get(shopContext);
	const typed = { email: readLine(form.get("email")).slice(0, 300), recipient: readLine(form.get("recipient")).slice(0, 300) };
	const corrected = await correctAddresses(shop, order.id, access, typed);
	if (corrected.ok) {
		const headers = createTrackingCookies(shop, corrected.order, "whole", visit);
		if (confirmation) appendConfirmationCookies(shop, headers, corrected.order, confirmation);
		return redirect(toCorrectedUrl(back, corrected.corrected), { status: 303, headers });
	}
	if (corrected.code === "no-access") return refuseAccess(access);
	setRetryAfter(context, corrected);
	const status = { limited: 429, "too-late": 409 }[corrected.code as string] ?? 400;
	return data(describeRefusedCorrection(corrected.code, typed), { status });
}
