import { updateAccountsJob } from "./accounts/jobs.ts";
import { findAlertsJob, sendAlertsJob, sendMorningMailJob } from "./alerts/jobs.ts";
import { readBulletinJob } from "./bulletin/jobs.ts";
import {
	deliverAlertMailJob,
	queueAlertsAtOnceJob,
	queueWeeklyAlertsJob,
	sendAlertConfirmationJob,
	sendAlertLinkJob,
} from "./company-alerts/jobs.ts";
import { forwardMessageJob } from "./contact/jobs.ts";
import { sendCustomerLinkJob } from "./customer-sign-in/jobs.ts";
import { runActJob } from "./desk/acts/jobs.ts";
import { checkPromiseJob, creditRefundJob, fulfilOrderJob, invoiceOrderJob, requeueStalledOrdersJob } from "./fulfilment/jobs.ts";
import { sendReplyJob } from "./messages/jobs.ts";
import { deliverIssueJob, sendConfirmationJob, sendTestCopyJob } from "./newsletter/jobs.ts";
import { sendAccessNoticeJob, sendInvitationJob } from "./operators/jobs.ts";
import { copyOrdersJob } from "./order-copies/jobs.ts";
import { queueNoticeEmailsJob, queueReadyEmailsJob, sendBulkEmailJob, sendOrderEmailJob } from "./order-emails/jobs.ts";
import { reconcileJob, sweepPaymentsJob } from "./payments/jobs.ts";
import { deliverSandboxEventJob } from "./payments/sandbox/jobs.ts";
import { carryOutRefundJob } from "./refunds/jobs.ts";
import { purgeJob } from "./retention/jobs.ts";
import { measurePartsJob } from "./status/jobs.ts";
import { sendOrderNumbersJob } from "./tracking/lost-number/jobs.ts";

/** Every kind of job. Commands only send jobs, so they need only this file; app/jobs.ts has the use case of each kind. */
export const jobKinds = [
	fulfilOrderJob,
	invoiceOrderJob,
	sendOrderEmailJob,
	queueReadyEmailsJob,
	sendBulkEmailJob,
	checkPromiseJob,
	carryOutRefundJob,
	creditRefundJob,
	runActJob,
	sendInvitationJob,
	sendAccessNoticeJob,
	sendOrderNumbersJob,
	sendCustomerLinkJob,
	forwardMessageJob,
	sendReplyJob,
	sendConfirmationJob,
	deliverIssueJob,
	sendTestCopyJob,
	sendAlertConfirmationJob,
	sendAlertLinkJob,
	deliverAlertMailJob,
	queueAlertsAtOnceJob,
	queueWeeklyAlertsJob,
	deliverSandboxEventJob,
	sweepPaymentsJob,
	requeueStalledOrdersJob,
	findAlertsJob,
	sendAlertsJob,
	sendMorningMailJob,
	copyOrdersJob,
	measurePartsJob,
	reconcileJob,
	updateAccountsJob,
	purgeJob,
	queueNoticeEmailsJob,
	readBulletinJob,
] as const;
