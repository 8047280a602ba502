import type { JobData, JobKinds } from "../server/jobs.ts";
import { typedKeys } from "../server/types/objects.ts";
import { updateAccountsNightly } from "./books/update-accounts.server.ts";
import { deliverAlertMail } from "./companies/alerts/deliver-alert-mail.server.ts";
import { queueAlertsAtOnce, queueWeeklyAlerts } from "./companies/alerts/queue-alerts.server.ts";
import { sendAlertConfirmation } from "./companies/alerts/send-confirmation.server.ts";
import { sendAlertLink } from "./companies/alerts/send-link.server.ts";
import { readBulletin } from "./companies/bulletin/read-bulletin.server.ts";
import { forwardMessage } from "./customer/contact/forward-message.server.ts";
import { sendCustomerLink } from "./customer/sign-in/send-link.server.ts";
import { sendOrderNumbers } from "./customer/tracking/lost-number/send-order-numbers.server.ts";
import { runScheduledAct } from "./desk/acts/perform-act.server.ts";
import { findAlerts, sendAlerts } from "./desk/alerts/send-alerts.server.ts";
import { sendMorningMail } from "./desk/alerts/send-morning-mail.server.ts";
import { sendAccessNotice } from "./desk/operators/access-notice.server.ts";
import { sendInvitation } from "./desk/operators/send-invitation.server.ts";
import { purgeNightly } from "./desk/retention/purge.server.ts";
import { sendReply } from "./emails/messages/send-reply.server.ts";
import { deliverIssue, sendTestCopy } from "./emails/newsletter/deliver-issue.server.ts";
import { sendConfirmation } from "./emails/newsletter/send-confirmation.server.ts";
import { queueNoticeEmails } from "./emails/queue-notice-emails.server.ts";
import { queueReadyEmails } from "./emails/queue-purchase-emails.server.ts";
import { sendOrderEmail } from "./emails/send-order-email.server.ts";
import { checkPromise } from "./fulfilment/check-promise.server.ts";
import { fulfilOrder } from "./fulfilment/fulfil-order.server.ts";
import { creditRefund, invoiceOrder } from "./fulfilment/invoice-order.server.ts";
import { requeueStalledOrders } from "./fulfilment/requeue-stalled-orders.server.ts";
import { copyChangedOrders } from "./orders/copies/copy-changed-orders.server.ts";
import { carryOutRefund } from "./payments/carry-out-refund.server.ts";
import { reconcile } from "./payments/reconcile.server.ts";
import { deliverSandboxEvent } from "./payments/sandbox/sandbox-events.server.ts";
import { sweepPayments } from "./payments/sweep-payments.server.ts";
import type { Shop } from "./shop.ts";
import { measureParts } from "./web/status/probe-parts.server.ts";

type JobName = keyof JobKinds;

/** The use case of each kind of job; app/job-kinds.ts says when it runs. */
const useCases: { [Name in JobName]: (shop: Shop, data: JobData<Name>) => Promise<unknown> } = {
	"fulfil-order": (shop, { orderId }) => fulfilOrder(shop, orderId),
	"invoice-order": (shop, { orderId }) => invoiceOrder(shop, orderId),
	"send-order-mail": (shop, { mailId }) => sendOrderEmail(shop, mailId),
	"queue-ready-mails": (shop, { orderId }) => queueReadyEmails(shop, orderId),
	"send-bulk-mail": (shop, { mailId }) => sendOrderEmail(shop, mailId),
	"check-promise": (shop, { orderId }) => checkPromise(shop, orderId),
	"carry-out-refund": (shop, { refundId }) => carryOutRefund(shop, refundId),
	"credit-refund": (shop, { refundId }) => creditRefund(shop, refundId),
	"send-order-numbers": (shop, request) => sendOrderNumbers(shop, request),
	"send-customer-link": (shop, request) => sendCustomerLink(shop, request),
	"pass-on-message": (shop, { messageId, ...options }) => forwardMessage(shop, messageId, options),
	"send-reply": (shop, { messageId }) => sendReply(shop, messageId),
	"send-newsletter-confirmation": (shop, { subscriptionId }) => sendConfirmation(shop, subscriptionId),
	"deliver-newsletter": (shop, { letterId, subscriptionId }) => deliverIssue(shop, letterId, subscriptionId),
	"send-newsletter-copy": (shop, copy) => sendTestCopy(shop, copy),
	"send-company-alert-confirmation": (shop, { alertId }) => sendAlertConfirmation(shop, alertId),
	"send-company-alert-link": (shop, request) => sendAlertLink(shop, request),
	"deliver-company-alerts": (shop, { mailId }) => deliverAlertMail(shop, mailId),
	"deliver-sandbox-event": (shop, { eventId }) => deliverSandboxEvent(shop, eventId),
	"run-desk-act": (shop, { key }) => runScheduledAct(shop, key),
	"send-invitation": (shop, { invitationId }) => sendInvitation(shop, invitationId),
	"send-access-notice": (shop, notice) => sendAccessNotice(shop, notice),
	"send-alerts": (shop, alerts) => sendAlerts(shop, alerts),
	"find-alerts": (shop) => findAlerts(shop),
	"queue-company-alerts": (shop) => queueAlertsAtOnce(shop),
	"queue-weekly-company-alerts": (shop) => queueWeeklyAlerts(shop),
	"send-morning-mail": (shop) => sendMorningMail(shop),
	"sweep-payments": (shop) => sweepPayments(shop),
	"wake-orders": (shop) => requeueStalledOrders(shop),
	"copy-orders": (shop) => copyChangedOrders(shop),
	"measure-parts": (shop) => measureParts(shop),
	reconcile: (shop) => reconcile(shop),
	"update-accounts": (shop) => updateAccountsNightly(shop),
	purge: (shop) => purgeNightly(shop),
	"read-bulletin": (shop) => readBulletin(shop),
	"tell-notices": (shop) => queueNoticeEmails(shop),
};

/** Starts the workers of every kind of job. */
export async function startWorkers(shop: Shop): Promise<void> {
	for (const name of typedKeys(useCases)) await startWorkersOf(shop, name);
}

const startWorkersOf = <Name extends JobName>(shop: Shop, name: Name): Promise<void> =>
	shop.jobs.work(name, (data) => useCases[name](shop, data));
