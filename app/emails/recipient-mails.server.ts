import type { QueuedMail } from "../mail/mails.store.server.ts";
import { getOrderEmail } from "./order-emails.server.ts";

/** The e-mails of an order that went to its second recipient. */
export const filterRecipientMails = (mails: readonly QueuedMail[]): QueuedMail[] =>
	mails.filter(({ kind }) => getOrderEmail(kind).to === "delivery");
