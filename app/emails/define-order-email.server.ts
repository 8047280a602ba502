import type { Trx } from "../../server/database/database.ts";
import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import type { Context } from "../../server/runtime.ts";
import type { EmailContent } from "../mail/email.ts";
import type { QueuedMail } from "../mail/mails.store.server.ts";
import type { StoredDocument } from "../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import type { Order } from "../orders/order.ts";
import { findOwnAddress } from "../orders/resends.server.ts";
import type { TermsFile } from "../orders/terms/terms-of-order.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import type { QueueOrderEmail } from "./queue-order-email.server.ts";
import { createTrackingUrl } from "./tracking-urls.server.ts";

/**
 * `delivery`: the second address for the PDF, without which the e-mail is dropped. `previous`: the address that the customer has
 * corrected, in the row of the e-mail. `operator`: the shop's address.
 */
export type OrderEmailRecipient = "customer" | "delivery" | "previous" | "operator";

/** The row of an e-mail, and its order. */
export interface EmailSubject {
	mail: QueuedMail;
	order: Order;
}

/** What every e-mail may say beside its order. */
export interface SharedEmailData {
	/** Without a trailing slash. */
	baseUrl: string;
	shop: ShopIdentity;
	/** When the mail's event happened: the instant at which the mail was queued. */
	happenedAt: Date;
	/** Opens the page of the order, or of its purchase; for its customer without typing, once it is paid. */
	trackingUrl: string;
	/** The address that gets the e-mails to the customer. */
	customerEmail: string;
}

export type EmailFile = StoredDocument | TermsFile;

/** @typeParam Data what the e-mail says beside its order and `SharedEmailData`; `load` defines it. */
interface OrderEmailDefinition<Name extends string, Data extends object> {
	/** As in `mails.kind`. */
	name: Name;
	/** The names of rows that earlier versions wrote for this e-mail. */
	formerNames?: readonly string[];
	to: OrderEmailRecipient;
	/** For operators. */
	label: string;
	/** One night may bring thousands of this e-mail. */
	isBulk?: true;
	/** Milliseconds between its queueing and its sending. */
	delay?: number;
	/** While the order is not paid, its address may be a stranger's: the most e-mails of this name to one mailbox in a day. */
	dailyLimit?: { name: string; most: number };
	/** Whether an unsent e-mail must not leave any more: it is deleted. */
	isOutdated?(order: Order): boolean;
	/** @returns null when nothing is left to tell: an unsent e-mail is deleted. @throws when the job has to try again. */
	load(context: StorageContext, subject: EmailSubject): Promise<Data | null>;
	compose(order: Order, data: SharedEmailData & NoInfer<Data>): EmailContent;
	attaches?(data: NoInfer<Data>): readonly (EmailFile | null)[];
	/** Ends e-mails of this kind with one click. */
	unsubscribeUrl?(data: NoInfer<Data>): string;
	/** What its sending changes, in the transaction that records it. @param queue queues an e-mail that follows. */
	afterSending?(context: Context, trx: Trx, sent: EmailSubject & { data: NoInfer<Data>; queue: QueueOrderEmail }): Promise<void>;
}

/** An e-mail about one order, ready to be rendered. */
export interface WrittenEmail {
	content: EmailContent;
	files: readonly EmailFile[];
	unsubscribeUrl: string | undefined;
	afterSending(trx: Trx, queue: QueueOrderEmail): Promise<void>;
}

/** Defines an e-mail about an order: the one place that says to whom it goes, what it has and what it says (docs/decisions/0055-one-object-per-email.md). */
export function defineOrderEmail<const Name extends string, Data extends object>(email: OrderEmailDefinition<Name, Data>) {
	return {
		...email,
		/** Loads what the e-mail says and composes it. @returns null when nothing is left to tell. @throws as `load`. */
		async write(context: StorageContext, { mail, order: found }: EmailSubject): Promise<WrittenEmail | null> {
			const own = await findOwnAddress(context.db, found);
			// it is nobody else's
			const order = own === null ? found : { ...found, delivery_email: null };
			const subject = { mail, order };
			const data = await email.load(context, subject);
			if (data === null) return null;
			const shared = { ...describeShared(context, email.to, subject), customerEmail: own ?? order.customer_email };
			return {
				content: email.compose(order, { ...shared, ...data }),
				files: (email.attaches?.(data) ?? []).filter((file) => file !== null),
				unsubscribeUrl: email.unsubscribeUrl?.(data),
				afterSending: async (trx, queue) => email.afterSending?.(context, trx, { ...subject, data, queue }),
			};
		},
	};
}

function describeShared(context: Context, to: OrderEmailRecipient, { mail, order }: EmailSubject): Omit<SharedEmailData, "customerEmail"> {
	const { baseUrl, shop } = context.environment;
	return {
		baseUrl,
		shop,
		happenedAt: mail.created_at,
		// a recipient or the operator gets nothing that opens the order
		trackingUrl:
			to === "customer" ? createTrackingUrl(context, order) : absoluteUrl(baseUrl, "/suivi/:number", { number: order.order_number }),
	};
}
