import { checkText, type FieldRule, fieldRequired } from "../forms/form-rules.ts";

const messageRule: FieldRule = { required: "Dites-nous ce qui ne va pas avec votre extrait.", lines: true, maxLength: 2000 };

/** @returns the error of a refund request's message, or undefined when it is valid. */
export const checkRefundMessage = (message: string) => checkText(messageRule, message);

/** `too-late`: the customer may no longer ask for a refund of this order. */
export type RefundRequestRefusal = "invalid-message" | "too-late";

const sentences: Record<RefundRequestRefusal, (message: string) => string> = {
	"invalid-message": (message) => checkRefundMessage(message) ?? fieldRequired,
	"too-late": () => "Cette commande ne peut plus faire l’objet d’une demande de remboursement.",
};

/** The sentence for a customer whose request is refused. */
export const describeRefundRequestRefusal = (code: RefundRequestRefusal, message: string) => sentences[code](message);
