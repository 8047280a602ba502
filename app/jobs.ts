import type { JobKind } from "../server/jobs.ts";
import { updateAccountsJob } from "./accounts/jobs.ts";
import { updateAccountsNightly } from "./accounts/update-accounts.server.ts";
import { findAlerts } from "./alerts/find-alerts.server.ts";
import { findAlertsJob, sendAlertsJob, sendMorningMailJob } from "./alerts/jobs.ts";
import { sendAlerts } from "./alerts/send-alerts.server.ts";
import { sendMorningMail } from "./alerts/send-morning-mail.server.ts";
import { readBulletinJob } from "./bulletin/jobs.ts";
import { readBulletin } from "./bulletin/read-bulletin.server.ts";
import { deliverAlertMail } from "./company-alerts/deliver-alert-mail.server.ts";
import {
	deliverAlertMailJob,
	queueAlertsAtOnceJob,
	queueWeeklyAlertsJob,
	sendAlertConfirmationJob,
	sendAlertLinkJob,
} from "./company-alerts/jobs.ts";
import { queueAlertsAtOnce, queueWeeklyAlerts } from "./company-alerts/queue-alerts.server.ts";
import { sendAlertConfirmation } from "./company-alerts/send-confirmation.server.ts";
import { sendAlertLink } from "./company-alerts/send-link.server.ts";
import { forwardMessage } from "./contact/forward-message.server.ts";
import { forwardMessageJob } from "./contact/jobs.ts";
import { sendCustomerLinkJob } from "./customer-sign-in/jobs.ts";
import { sendCustomerLink } from "./customer-sign-in/send-link.server.ts";
import { runActJob } from "./desk/acts/jobs.ts";
import { runScheduledAct } from "./desk/acts/perform-act.server.ts";
import { checkPromise } from "./fulfilment/check-promise.server.ts";
import { fulfilOrder } from "./fulfilment/fulfil-order.server.ts";
import { creditRefund, invoiceOrder } from "./fulfilment/invoice-order.server.ts";
import { checkPromiseJob, creditRefundJob, fulfilOrderJob, invoiceOrderJob, requeueStalledOrdersJob } from "./fulfilment/jobs.ts";
import { requeueStalledOrders } from "./fulfilment/requeue-stalled-orders.server.ts";
import { sendReplyJob } from "./messages/jobs.ts";
import { sendReply } from "./messages/send-reply.server.ts";
import { deliverIssue, sendTestCopy } from "./newsletter/deliver-issue.server.ts";
import { deliverIssueJob, sendConfirmationJob, sendTestCopyJob } from "./newsletter/jobs.ts";
import { sendConfirmation } from "./newsletter/send-confirmation.server.ts";
import { sendAccessNotice } from "./operators/access-notice.server.ts";
import { sendAccessNoticeJob, sendInvitationJob } from "./operators/jobs.ts";
import { sendInvitation } from "./operators/send-invitation.server.ts";
import { copyChangedOrders } from "./order-copies/copy-changed-orders.server.ts";
import { copyOrdersJob } from "./order-copies/jobs.ts";
import { queueNoticeEmailsJob, queueReadyEmailsJob, sendBulkEmailJob, sendOrderEmailJob } from "./order-emails/jobs.ts";
import { queueReadyEmails } from "./order-emails/purchases/queue-purchase-emails.server.ts";
import { queueNoticeEmails } from "./order-emails/queue-notice-emails.server.ts";
import { sendOrderEmail } from "./order-emails/send-order-email.server.ts";
import { carryOutRefund } from "./payments/carry-out-refund.server.ts";
import { reconcileJob, sweepPaymentsJob } from "./payments/jobs.ts";
import { reconcile } from "./payments/reconcile.server.ts";
import { deliverSandboxEventJob } from "./payments/sandbox/jobs.ts";
import { deliverSandboxEvent } from "./payments/sandbox/sandbox-events.server.ts";
import { sweepPayments } from "./payments/sweep-payments.server.ts";
import { carryOutRefundJob } from "./refunds/jobs.ts";
import { purgeJob } from "./retention/jobs.ts";
import { purgeNightly } from "./retention/purge.server.ts";
import type { Shop } from "./shop.ts";
import { measurePartsJob } from "./status/jobs.ts";
import { measureParts } from "./status/measure-parts.server.ts";
import { sendOrderNumbersJob } from "./tracking/lost-number/jobs.ts";
import { sendOrderNumbers } from "./tracking/lost-number/send-order-numbers.server.ts";

interface JobEntry<Data extends object> {
	kind: JobKind<Data>;
	concurrency: number;
	run(shop: Shop, data: Data): Promise<unknown>;
}

const entry = <Data extends object>(kind: JobKind<Data>, concurrency: number, run: JobEntry<Data>["run"]): JobEntry<object> => ({
	kind,
	concurrency,
	run,
});

/** The use case and the concurrency of each kind of job. */
export const jobTable: readonly JobEntry<object>[] = [
	entry(fulfilOrderJob, 10, (shop, { orderId }) => fulfilOrder(shop, orderId)),
	entry(invoiceOrderJob, 10, (shop, { orderId }) => invoiceOrder(shop, orderId)),
	entry(sendOrderEmailJob, 10, (shop, { mailId }) => sendOrderEmail(shop, mailId)),
	entry(queueReadyEmailsJob, 4, (shop, { orderId }) => queueReadyEmails(shop, orderId)),
	entry(sendBulkEmailJob, 2, (shop, { mailId }) => sendOrderEmail(shop, mailId)),
	entry(checkPromiseJob, 4, (shop, { orderId }) => checkPromise(shop, orderId)),
	entry(carryOutRefundJob, 4, (shop, { refundId }) => carryOutRefund(shop, refundId)),
	entry(creditRefundJob, 4, (shop, { refundId }) => creditRefund(shop, refundId)),
	entry(sendOrderNumbersJob, 2, (shop, request) => sendOrderNumbers(shop, request)),
	entry(sendCustomerLinkJob, 2, (shop, request) => sendCustomerLink(shop, request)),
	entry(forwardMessageJob, 2, (shop, { messageId, ...options }) => forwardMessage(shop, messageId, options)),
	entry(sendReplyJob, 2, (shop, { messageId }) => sendReply(shop, messageId)),
	entry(sendConfirmationJob, 2, (shop, { subscriptionId }) => sendConfirmation(shop, subscriptionId)),
	entry(deliverIssueJob, 4, (shop, { letterId, subscriptionId }) => deliverIssue(shop, letterId, subscriptionId)),
	entry(sendTestCopyJob, 1, (shop, copy) => sendTestCopy(shop, copy)),
	entry(sendAlertConfirmationJob, 2, (shop, { alertId }) => sendAlertConfirmation(shop, alertId)),
	entry(sendAlertLinkJob, 2, (shop, request) => sendAlertLink(shop, request)),
	entry(deliverAlertMailJob, 4, (shop, { mailId }) => deliverAlertMail(shop, mailId)),
	entry(deliverSandboxEventJob, 10, (shop, { eventId }) => deliverSandboxEvent(shop, eventId)),
	entry(runActJob, 10, (shop, { key }) => runScheduledAct(shop, key)),
	entry(sendInvitationJob, 1, (shop, { invitationId }) => sendInvitation(shop, invitationId)),
	entry(sendAccessNoticeJob, 1, (shop, notice) => sendAccessNotice(shop, notice)),
	entry(sendAlertsJob, 2, (shop, alerts) => sendAlerts(shop, alerts)),
	// scheduled jobs
	entry(findAlertsJob, 1, (shop) => findAlerts(shop)),
	entry(queueAlertsAtOnceJob, 1, (shop) => queueAlertsAtOnce(shop)),
	entry(queueWeeklyAlertsJob, 1, (shop) => queueWeeklyAlerts(shop)),
	entry(sendMorningMailJob, 1, (shop) => sendMorningMail(shop)),
	entry(sweepPaymentsJob, 1, (shop) => sweepPayments(shop)),
	entry(requeueStalledOrdersJob, 1, (shop) => requeueStalledOrders(shop)),
	entry(copyOrdersJob, 1, (shop) => copyChangedOrders(shop)),
	entry(measurePartsJob, 1, (shop) => measureParts(shop)),
	entry(reconcileJob, 1, (shop) => reconcile(shop)),
	entry(updateAccountsJob, 1, (shop) => updateAccountsNightly(shop)),
	entry(purgeJob, 1, (shop) => purgeNightly(shop)),
	entry(readBulletinJob, 1, (shop) => readBulletin(shop)),
	entry(queueNoticeEmailsJob, 1, (shop) => queueNoticeEmails(shop)),
];

/** Starts the workers of every kind of job. */
export async function startWorkers(shop: Shop): Promise<void> {
	for (const { kind, concurrency, run } of jobTable)
		await shop.jobs.work(kind, concurrency, async (data) => {
			await run(shop, data);
		});
}
