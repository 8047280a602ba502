import { typedKeys } from "../../server/types/objects.ts";
import type { DocumentType } from "../documents/documents.server.ts";
import type { EmailContent } from "../mail/email.ts";
import type { Order } from "../orders/order.ts";
import { addressCorrected, companyChanged } from "./address-emails.ts";
import { confirmation, resume } from "./confirmation-email.ts";
import {
	documentForRecipient,
	documentReady,
	extractReplaced,
	extractReplacedForRecipient,
	failed,
	late,
	posted,
	trackingCorrected,
} from "./delivery-emails.ts";
import type { OrderEmailContext, OrderEmailTemplate } from "./email-parts.ts";
import { invoiceCorrected } from "./invoice-emails.ts";
import { extractNotices } from "./notice-emails.ts";
import { operatorAlerts } from "./operator-alerts.ts";
import { purchaseProblem } from "./purchases/problem-email.ts";
import { purchasePosted, purchaseReady, purchaseReadyForRecipient } from "./purchases/ready-emails.ts";
import { cancelled, duplicateRefunded, refunded, refundRequestReceived, refundRequestRefused, withdrawalReceipt } from "./refund-emails.ts";

export type { OrderEmailContext } from "./email-parts.ts";

const templates = {
	confirmation,
	"document-ready": documentReady,
	"document-ready-delivery": documentForRecipient,
	posted,
	"extract-replaced": extractReplaced,
	"extract-replaced-delivery": extractReplacedForRecipient,
	"tracking-corrected": trackingCorrected,
	"company-changed": companyChanged,
	late,
	failed,
	cancelled,
	refunded,
	"surplus-refunded": duplicateRefunded,
	resume,
	"address-corrected": addressCorrected,
	"withdrawal-receipt": withdrawalReceipt,
	"refund-request-received": refundRequestReceived,
	"refund-request-refused": refundRequestRefused,
	"invoice-corrected": invoiceCorrected,
	"extract-notices": extractNotices,
	"purchase-ready": purchaseReady,
	"purchase-ready-delivery": purchaseReadyForRecipient,
	"purchase-posted": purchasePosted,
	"purchase-problem": purchaseProblem,
	...operatorAlerts,
} as const satisfies Record<string, OrderEmailTemplate>;

/** Every e-mail about an order or a purchase. */
export type OrderEmailKind = keyof typeof templates;

export const orderEmailKinds = typedKeys(templates);

/** Parses the kind of a row of `mails`. @throws on an unknown kind: only this folder inserts mails of orders. */
export function parseOrderEmailKind(text: string): OrderEmailKind {
	const kind = orderEmailKinds.find((each) => each === text);
	if (kind === undefined) throw new Error(`no e-mail about an order is called « ${text} »`);
	return kind;
}

/**
 * `delivery`: the second address for the PDF, without which the e-mail is dropped. `previous`: the address that the customer has
 * corrected, in the row of the e-mail. `operator`: the shop's address.
 */
export type OrderEmailRecipient = "customer" | "delivery" | "previous" | "operator";

interface OrderEmailSettings {
	to: OrderEmailRecipient;
	/** The attached document. */
	attaches: DocumentType | null;
	/** One night may bring thousands of this kind. */
	isBulk?: true;
}

const toCustomer: OrderEmailSettings = { to: "customer", attaches: null };
const toOperator: OrderEmailSettings = { to: "operator", attaches: null };

/** The recipient, the attachment and the queue of each e-mail. */
export const orderEmails: Record<OrderEmailKind, OrderEmailSettings> = {
	confirmation: { to: "customer", attaches: "invoice" },
	"document-ready": { to: "customer", attaches: "kbis" },
	"document-ready-delivery": { to: "delivery", attaches: "kbis" },
	posted: toCustomer,
	"extract-replaced": { to: "customer", attaches: "kbis" },
	"extract-replaced-delivery": { to: "delivery", attaches: "kbis" },
	"tracking-corrected": toCustomer,
	"company-changed": toCustomer,
	late: toCustomer,
	failed: toCustomer,
	cancelled: toCustomer,
	refunded: { to: "customer", attaches: "credit_note" },
	"surplus-refunded": toCustomer,
	resume: toCustomer,
	"address-corrected": { to: "previous", attaches: null },
	"withdrawal-receipt": toCustomer,
	"refund-request-received": toCustomer,
	"refund-request-refused": toCustomer,
	"invoice-corrected": { to: "customer", attaches: "invoice" },
	"extract-notices": { ...toCustomer, isBulk: true },
	"purchase-ready": toCustomer,
	"purchase-ready-delivery": { to: "delivery", attaches: null },
	"purchase-posted": toCustomer,
	"purchase-problem": toCustomer,
	"alert-late": toOperator,
	"alert-lines-late": toOperator,
	"alert-set-aside": toOperator,
	"alert-surplus": toOperator,
	"alert-dispute": toOperator,
	"alert-dispute-lost": toOperator,
	"alert-refund-failed": toOperator,
	"alert-refund-guessed": toOperator,
	"alert-refund-unknown": toOperator,
	"alert-refund-exceeds": toOperator,
	"alert-bounce": toOperator,
	"alert-document-lost": toOperator,
	"alert-refund-request": toOperator,
	"alert-refunds-held": toOperator,
	"alert-extract-needed": toOperator,
	"alert-extracts-needed": toOperator,
	"alert-invoices-stopped": toOperator,
};

export const bulkEmailKinds = orderEmailKinds.filter((kind) => orderEmails[kind].isBulk);

/** Composes the content of an e-mail about an order. */
export function composeOrderEmail(kind: OrderEmailKind, order: Order, context: OrderEmailContext): EmailContent {
	return templates[kind](order, context);
}
