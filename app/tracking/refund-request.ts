import { checkText, type FieldRule, fieldRequired } from "../forms/form-rules.ts";

const messageRule: FieldRule = { required: "Dites-nous ce qui ne va pas avec votre extrait.", lines: true, longest: 2000 };

/** The sentence for the message of a request for a refund, or undefined when it holds. */
export const checkRefundMessage = (message: string) => checkText(messageRule, message);

/** `too-late`: the order is not one that its customer may ask a refund for now. */
export type RefundRequestRefusal = "invalid-message" | "too-late";

const sentences: Record<RefundRequestRefusal, (message: string) => string> = {
	"invalid-message": (message) => checkRefundMessage(message) ?? fieldRequired,
	"too-late": () => "Cette commande ne peut plus faire l’objet d’une demande de remboursement.",
};

/** What the customer reads when their request is not received. */
export const describeRefundRequestRefusal = (code: RefundRequestRefusal, message: string) => sentences[code](message);
