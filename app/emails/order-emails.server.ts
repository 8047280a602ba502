import { indexByName, typedKeys } from "../../server/types/objects.ts";
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

/** The kinds of the rows of an e-mail, also of those that earlier versions wrote. */
export const listRowKinds = ({ name, formerNames = [] }: OrderEmail): string[] => [name, ...formerNames];

const emailsByRowKind: ReadonlyMap<string, OrderEmail> = new Map(
	Object.values(orderEmails).flatMap((email: OrderEmail) => listRowKinds(email).map((kind) => [kind, email] as const)),
);

/** The e-mail of a row of `mails`. @throws on an unknown kind: only this folder inserts mails of orders. */
export function getOrderEmail(kind: string): OrderEmail {
	const email = emailsByRowKind.get(kind);
	if (email === undefined) throw new Error(`no e-mail about an order is called « ${kind} »`);
	return email;
}

/** The names of the e-mails to these recipients. */
export const listKindsTo = (...recipients: readonly OrderEmailRecipient[]): OrderEmailKind[] =>
	orderEmailKinds.filter((kind) => recipients.includes(orderEmails[kind].to));

/** The kinds of all rows of the e-mails to these recipients. */
export const listRowKindsTo = (...recipients: readonly OrderEmailRecipient[]): string[] =>
	listKindsTo(...recipients).flatMap((kind) => listRowKinds(orderEmails[kind]));

/** The kinds of the e-mails that say that all orders of a service have ended. */
export const endOfServiceKinds: readonly string[] = [orderEmails["document-ready"], orderEmails.posted].flatMap(listRowKinds);

export const bulkEmailKinds: readonly OrderEmailKind[] = orderEmailKinds.filter((kind) => orderEmails[kind].isBulk);
