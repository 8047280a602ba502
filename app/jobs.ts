import type { JobKind } from "../server/jobs.ts";
import { passOnMessageJob } from "./contact/jobs.ts";
import { passOnMessage } from "./contact/pass-on-message.server.ts";
import { fulfilOrder } from "./orders/fulfil-order.server.ts";
import { fulfilOrderJob, sendOrderMailJob } from "./orders/jobs.ts";
import { sendOrderMail } from "./orders/send-order-mail.server.ts";
import { deliverSandboxEvent, deliverSandboxEventJob } from "./payment/sandbox-payment.server.ts";
import type { Shop } from "./shop.ts";

interface Row<Data extends object> {
	kind: JobKind<Data>;
	concurrency: number;
	do: (shop: Shop, data: Data) => Promise<void>;
}

const row = <Data extends object>(kind: JobKind<Data>, concurrency: number, verb: Row<Data>["do"]): Row<never> =>
	({ kind, concurrency, do: verb }) as Row<never>;

/** Every job of the shop and the verb that does it: its other front door. */
const table = [
	row(fulfilOrderJob, 10, (shop, { orderId }) => fulfilOrder(shop, orderId)),
	row(sendOrderMailJob, 10, (shop, { mailId }) => sendOrderMail(shop, mailId)),
	row(passOnMessageJob, 2, (shop, { messageId }) => passOnMessage(shop, messageId)),
	row(deliverSandboxEventJob, 10, (shop, { eventId }) => deliverSandboxEvent(shop, eventId)),
];

export const jobKinds = table.map(({ kind }) => kind);

/** Starts doing every kind of job. */
export async function startWorkers(shop: Shop): Promise<void> {
	for (const { kind, concurrency, do: verb } of table) await shop.jobs.work(kind, concurrency, (data) => verb(shop, data));
}
