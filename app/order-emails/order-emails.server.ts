import { indexByName, isKeyOf, typedKeys } from "../../server/types/objects.ts";
import * as confirmationEmails from "./confirmation-emails.server.ts";
import * as correctionEmails from "./correction-emails.server.ts";
import type { OrderEmailRecipient } from "./define-order-email.server.ts";
import * as deliveryEmails from "./delivery-emails.server.ts";
import * as noticeEmails from "./notice-emails.server.ts";
import * as operatorAlerts from "./operator-alerts.server.ts";
import * as problemEmails from "./problem-emails.server.ts";
import * as refundEmails from "./refund-emails.server.ts";

/** Every e-mail about an order or a purchase, by its name: all that these files export. */
export const orderEmails = indexByName([
	...Object.values(confirmationEmails),
	...Object.values(deliveryEmails),
	...Object.values(problemEmails),
	...Object.values(refundEmails),
	...Object.values(correctionEmails),
	...Object.values(noticeEmails),
	...Object.values(operatorAlerts),
]);

export type OrderEmailKind = keyof typeof orderEmails;

export type OrderEmail = (typeof orderEmails)[OrderEmailKind];

export type OperatorAlertKind = (typeof operatorAlerts)[keyof typeof operatorAlerts]["name"];

export const orderEmailKinds: readonly OrderEmailKind[] = typedKeys(orderEmails);

/** The e-mail of a row of `mails`. @throws on an unknown kind: only this folder inserts mails of orders. */
export function getOrderEmail(kind: string): OrderEmail {
	if (!isKeyOf(orderEmails, kind)) throw new Error(`no e-mail about an order is called « ${kind} »`);
	return orderEmails[kind];
}

/** The kinds of the e-mails to these recipients. */
export const listKindsTo = (...recipients: readonly OrderEmailRecipient[]): OrderEmailKind[] =>
	orderEmailKinds.filter((kind) => recipients.includes(orderEmails[kind].to));

export const bulkEmailKinds: readonly OrderEmailKind[] = orderEmailKinds.filter((kind) => orderEmails[kind].isBulk);
