import type { JobKind } from "../server/jobs.ts";
import { minutesBetween } from "./catalogue/status-interval.ts";
import type { AlertLinkReason } from "./companies/alerts/link-emails.ts";
import type { DueAlert } from "./desk/alerts/send-alerts.server.ts";
import type { AccessNotice } from "./desk/operators/access-notice.server.ts";

/** Tries for most of a day, until an unavailable mail server works again. */
const mostOfADay = 500;

/**
 * Every kind of job, by name; the parameter of `key` is the job's data. Senders need only this: app/jobs.ts has the use case of each kind,
 * and commands import no use case that they do not run.
 */
export const jobKinds = {
	/** Moves a paid order on until it is completed. Each cause sends its own job: a running job may have looked just before the upload. */
	"fulfil-order": {
		key: ({ orderId, because }: { orderId: string; because: "paid" | "uploaded" | "posted" | "not-found" | "ready" }) =>
			`${orderId} ${because}`,
		retryLimit: 20,
		concurrency: 10,
	},
	/** Issues an order's invoice, makes its PDF, and queues the confirmation with it; `corrected`: the number that replaces another. */
	"invoice-order": {
		key: ({ orderId, corrected }: { orderId: string; corrected?: string }) =>
			corrected === undefined ? orderId : `${orderId} ${corrected}`,
		retryLimit: 20,
		concurrency: 10,
	},
	/** Sends one mail of an order from its row in `mails`. */
	"send-order-mail": { key: ({ mailId }: { mailId: string }) => mailId, retryLimit: 20, concurrency: 10 },
	/** Queues the e-mails of a service of a purchase, once all its orders of that service have ended. Each order that ends sends its own job. */
	"queue-ready-mails": { key: ({ orderId }: { orderId: string }) => orderId, retryLimit: 20 },
	/** Sends one mail of a kind of which thousands may wait (`isBulk`). */
	"send-bulk-mail": { key: ({ mailId }: { mailId: string }) => mailId, retryLimit: 20, lowPriority: true },
	/** Checks at the deadline whether the order was delivered in time. */
	"check-promise": { key: ({ orderId }: { orderId: string }) => orderId, retryLimit: 20 },
	/** Makes a refund at the payment provider. */
	"carry-out-refund": { key: ({ refundId }: { refundId: string }) => refundId, retryLimit: 20 },
	/** Issues the credit note of a refund, makes its PDF, and sends the e-mail. */
	"credit-refund": { key: ({ refundId }: { refundId: string }) => refundId, retryLimit: 20 },
	/** Sends the numbers of an address's orders to that address. The queue deletes the address with the job, a day after its end. */
	"send-order-numbers": { key: ({ mailId }: { mailId: string; email: string }) => mailId, retryLimit: 20 },
	/** Sends a mailbox the link to its orders, if it has any. */
	"send-customer-link": { key: ({ mailId }: { mailId: string; email: string }) => mailId, retryLimit: 10 },
	/** Forwards a message of the contact or support form to the shop, and sends its author a receipt. Nothing else finds a lost message. */
	"pass-on-message": { key: ({ messageId }: { messageId: string; withReceipt?: boolean }) => messageId, retryLimit: mostOfADay },
	/** Sends an operator's reply from its row in `conversation_messages`. */
	"send-reply": { key: ({ messageId }: { messageId: string }) => messageId, retryLimit: 20 },
	/** Asks a new subscriber of the newsletter to confirm. Two requests on one day send one e-mail. */
	"send-newsletter-confirmation": { key: ({ subscriptionId }: { subscriptionId: string }) => subscriptionId, retryLimit: mostOfADay },
	/** Sends one issue of the newsletter to one subscriber; thousands may wait. */
	"deliver-newsletter": {
		key: ({ letterId, subscriptionId }: { letterId: string; subscriptionId: string }) => `${letterId}/${subscriptionId}`,
		retryLimit: mostOfADay,
		lowPriority: true,
	},
	/** Sends an issue to one address, as subscribers would receive it. */
	"send-newsletter-copy": { key: ({ copyId }: { copyId: string; to: string; content: string }) => copyId, retryLimit: 5 },
	/**
	 * Asks the owner of a mailbox to confirm an alert, and the others that wait. Requests before the same instant share one job. `after`: the
	 * mailbox's earliest instant of such an e-mail, in milliseconds.
	 */
	"send-company-alert-confirmation": {
		key: ({ followerId, after }: { alertId: string; followerId: string; after: number }) => `${followerId}/${after}`,
		retryLimit: mostOfADay,
	},
	/** Sends an address the link to its alerts, if it has any. */
	"send-company-alert-link": {
		key: ({ mailId }: { mailId: string; email: string; reason: AlertLinkReason }) => mailId,
		retryLimit: mostOfADay,
	},
	/** Sends the news of one mailbox; thousands may wait. */
	"deliver-company-alerts": { key: ({ mailId }: { mailId: string }) => mailId, retryLimit: mostOfADay, lowPriority: true },
	/** Delivers an event over HTTP, as a payment provider does: again and again until it is answered by a success. */
	"deliver-sandbox-event": { key: ({ eventId }: { eventId: string }) => eventId, retryLimit: 20, concurrency: 10 },
	/** Runs an act of the desk that can no longer be undone. */
	"run-desk-act": { key: ({ key }: { key: string }) => key, retryLimit: 20, concurrency: 10 },
	"send-invitation": { key: ({ invitationId }: { invitationId: string }) => invitationId, retryLimit: 10 },
	"send-access-notice": { key: ({ id }: AccessNotice) => id, retryLimit: 10 },
	/** Tells operators of the orders that reached a threshold in the same minute. */
	"send-alerts": { key: ({ id }: { id: string; alerts: DueAlert[] }) => id, retryLimit: 3 },

	// scheduled kinds: no retry where the next run is due soon
	/** Finds the orders that reach a threshold before their promise. */
	"find-alerts": { cron: "* * * * *", retryLimit: 0 },
	/** Asks the provider about sessions whose event did not come. */
	"sweep-payments": { cron: "* * * * *", retryLimit: 0 },
	/** Sends the jobs of stalled orders again. */
	"wake-orders": { cron: "* * * * *", retryLimit: 0 },
	/** Copies changed orders, and those whose copy has another key. */
	"copy-orders": { cron: "* * * * *", retryLimit: 0 },
	/** Probes every part and records the results. */
	"measure-parts": { cron: `*/${minutesBetween} * * * *`, retryLimit: 0 },
	/** Tells of new notices about companies, a few minutes after they were read. */
	"queue-company-alerts": { cron: "*/5 * * * *", retryLimit: 3 },
	/** Reads the bulletin until it has come to today; once it has, the other runs of the day do nothing. */
	"read-bulletin": { cron: "15 5-23 * * *", retryLimit: 2 },
	/** Compares the provider's payments with ours. */
	reconcile: { cron: "30 3 * * *", retryLimit: 5 },
	/** Reads the provider's balance and posts the entries of new facts, after the reconciliation. */
	"update-accounts": { cron: "15 4 * * *", retryLimit: 5 },
	/** Deletes expired data, after the reconciliation. */
	purge: { cron: "15 4 * * *", retryLimit: 5 },
	/** Queues the e-mails about what was published since delivered extracts, after the morning's import of the bulletin. */
	"tell-notices": { cron: "30 6 * * *", retryLimit: 3 },
	/** Tells of the notices of a week about companies, on Monday morning. */
	"queue-weekly-company-alerts": { cron: "30 7 * * 1", retryLimit: 5 },
	/** The day's work, for the operator, before the shop opens. */
	"send-morning-mail": { cron: "45 7 * * *", retryLimit: 5 },
} satisfies Record<string, JobKind<never>>;

/** Kinds that run every few minutes and are not tried again, because the next run does the same. */
export const frequentKinds = Object.entries<JobKind<never>>(jobKinds).flatMap(([name, { retryLimit, cron }]) =>
	retryLimit === 0 && cron?.startsWith("*") ? [name] : [],
);

type Kinds = typeof jobKinds;

declare module "../server/jobs.ts" {
	interface JobKinds extends Kinds {}
}
