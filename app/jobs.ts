import type { JobKind } from "../server/jobs.ts";
import { passOnMessageJob } from "./contact/jobs.ts";
import { passOnMessage } from "./contact/pass-on-message.server.ts";
import { purgeJob } from "./desk/jobs.ts";
import { purgeNightly } from "./desk/purge.server.ts";
import { deliverLetter, sendTestCopy } from "./newsletter/deliver-letter.server.ts";
import { deliverLetterJob, sendConfirmationJob, sendTestCopyJob } from "./newsletter/jobs.ts";
import { sendConfirmation } from "./newsletter/send-confirmation.server.ts";
import { copyChangedOrders } from "./order-copies/copy-changed-orders.server.ts";
import { copyOrdersJob } from "./order-copies/jobs.ts";
import { checkPromise } from "./orders/check-promise.server.ts";
import { fulfilOrder } from "./orders/fulfil-order.server.ts";
import { creditRefund, invoiceOrder } from "./orders/invoice-order.server.ts";
import {
	carryOutRefundJob,
	checkPromiseJob,
	creditRefundJob,
	fulfilOrderJob,
	invoiceOrderJob,
	sendOrderMailJob,
	wakeOrdersJob,
} from "./orders/jobs.ts";
import { sendOrderMail } from "./orders/send-order-mail.server.ts";
import { wakeOrders } from "./orders/wake-orders.server.ts";
import { carryOutRefund } from "./payment/carry-out-refund.server.ts";
import { reconcileJob, sweepPaymentsJob } from "./payment/jobs.ts";
import { reconcile } from "./payment/reconcile.server.ts";
import { deliverSandboxEvent, deliverSandboxEventJob } from "./payment/sandbox-events.server.ts";
import { sweepPayments } from "./payment/sweep-payments.server.ts";
import type { Shop } from "./shop.ts";
import { measurePartsJob } from "./status/jobs.ts";
import { measureParts } from "./status/measure-parts.server.ts";

interface Row<Data extends object> {
	kind: JobKind<Data>;
	concurrency: number;
	do: (shop: Shop, data: Data) => Promise<unknown>;
}

const row = <Data extends object>(kind: JobKind<Data>, concurrency: number, verb: Row<Data>["do"]): Row<never> =>
	({ kind, concurrency, do: verb }) as Row<never>;

/** Every job of the shop and the verb that does it: its other front door. */
const table = [
	row(fulfilOrderJob, 10, (shop, { orderId }) => fulfilOrder(shop, orderId)),
	row(invoiceOrderJob, 10, (shop, { orderId }) => invoiceOrder(shop, orderId)),
	row(sendOrderMailJob, 10, (shop, { mailId }) => sendOrderMail(shop, mailId)),
	row(checkPromiseJob, 4, (shop, { orderId }) => checkPromise(shop, orderId)),
	row(carryOutRefundJob, 4, (shop, { refundId }) => carryOutRefund(shop, refundId)),
	row(creditRefundJob, 4, (shop, { refundId }) => creditRefund(shop, refundId)),
	row(passOnMessageJob, 2, (shop, { messageId }) => passOnMessage(shop, messageId)),
	row(sendConfirmationJob, 2, (shop, { subscriptionId }) => sendConfirmation(shop, subscriptionId)),
	row(deliverLetterJob, 4, (shop, { letterId, subscriptionId }) => deliverLetter(shop, letterId, subscriptionId)),
	row(sendTestCopyJob, 1, (shop, copy) => sendTestCopy(shop, copy)),
	row(deliverSandboxEventJob, 10, (shop, { eventId }) => deliverSandboxEvent(shop, eventId)),
	// by the clock
	row(sweepPaymentsJob, 1, (shop) => sweepPayments(shop)),
	row(wakeOrdersJob, 1, (shop) => wakeOrders(shop)),
	row(copyOrdersJob, 1, (shop) => copyChangedOrders(shop)),
	row(measurePartsJob, 1, (shop) => measureParts(shop)),
	row(reconcileJob, 1, (shop) => reconcile(shop)),
	row(purgeJob, 1, (shop) => purgeNightly(shop)),
];

export const jobKinds = table.map(({ kind }) => kind);

/** Starts doing every kind of job. */
export async function startWorkers(shop: Shop): Promise<void> {
	for (const { kind, concurrency, do: verb } of table)
		await shop.jobs.work(kind, concurrency, async (data) => void (await verb(shop, data)));
}
