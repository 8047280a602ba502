import { type RouterContextProvider, redirect } from "react-router";
import { typedKeys } from "../../../server/types/objects.ts";
import { redirectToResumedPayment } from "../redirect-to-payment.server.ts";
import type { TrackedOrder } from "../tracking-access.server.ts";
import { openWithdrawal } from "../withdrawal/answer-withdrawal.server.ts";

/** The buttons of the page of a purchase. */
const purchaseForms = {
	resume: (context: Readonly<RouterContextProvider>, { order, access }: TrackedOrder, back: string) =>
		redirectToResumedPayment(context, order, { back, access }),
	withdraw: (context: Readonly<RouterContextProvider>, tracked: TrackedOrder) => openWithdrawal(context, tracked),
} as const;

export const purchaseIntents = typedKeys(purchaseForms);

/** Answers a button of the page of a purchase; an unknown one leads back to it. */
export async function answerPurchase(context: Readonly<RouterContextProvider>, tracked: TrackedOrder, form: FormData, back: string) {
	const intent = purchaseIntents.find((each) => each === form.get("intent"));
	return intent === undefined ? redirect(back, 303) : purchaseForms[intent](context, tracked, back);
}
