import type { QueuedMail } from "../mail/mails.server.ts";
import { listKindsTo } from "./order-emails.server.ts";

const recipientKinds: ReadonlySet<string> = new Set(listKindsTo("delivery"));

/** The e-mails of an order that went to its second recipient. */
export const filterRecipientMails = (mails: readonly QueuedMail[]): QueuedMail[] => mails.filter(({ kind }) => recipientKinds.has(kind));
