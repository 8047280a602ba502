import { href, type RouterContextProvider } from "react-router";
import { typedKeys } from "../../../server/types/objects.ts";
import { nextOrderIntent } from "../../order-form/next-order.tsx";
import type { ConfirmationAccess } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import type { RecordedSession } from "../../payments/payment-sessions.server.ts";
import { answerCorrection } from "../answer-tracking-forms.server.ts";
import { redirectToResumedPayment } from "../redirect-to-payment.server.ts";
import { redirectToNextOrder } from "./redirect-to-next-order.server.ts";

interface ConfirmationForm {
	order: Order;
	access: ConfirmationAccess;
	form: FormData;
	/** The page of the confirmation. */
	back: string;
}

/** The buttons of the confirmation. A browser with full access gets the cookies of its next confirmation. */
const confirmationForms = {
	[nextOrderIntent]: (context: Readonly<RouterContextProvider>, { order, access }: ConfirmationForm) =>
		redirectToNextOrder(context, order, access),
	resume: (context: Readonly<RouterContextProvider>, { order, access, back }: ConfirmationForm) =>
		redirectToResumedPayment(context, order, { back, access }),
	"correct-addresses": (context: Readonly<RouterContextProvider>, { order, access, form, back }: ConfirmationForm) =>
		answerCorrection(context, { order, access }, { form, back, confirmation: back }),
} as const;

export const confirmationIntents = typedKeys(confirmationForms);

/** Answers a button of the confirmation of a session's order; null for an unknown one. */
export async function answerConfirmation(
	context: Readonly<RouterContextProvider>,
	{ order, session, access }: { order: Order; session: RecordedSession; access: ConfirmationAccess },
	form: FormData,
) {
	const back = href("/confirmation/:sessionId?", { sessionId: session.id });
	const intent = confirmationIntents.find((each) => each === form.get("intent"));
	return intent === undefined ? null : confirmationForms[intent](context, { order, access, form, back });
}
