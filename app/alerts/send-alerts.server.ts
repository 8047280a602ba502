import type { Database } from "../../server/database/database.ts";
import type { MailContext } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { alertEmail } from "./alert-emails.ts";
import { deletePushDevice, listOnDuty, listPushDevices, listUnserved, type UnservedOrder } from "./alerts.store.server.ts";
import { describePush } from "./describe-push.ts";
import type { Pusher } from "./pusher.server.ts";

export interface AlertContext extends MailContext {
	pusher: Pusher;
}

/** An order that reached a threshold. */
export interface DueAlert {
	orderId: string;
	/** Before the promise. */
	minutes: number;
}

interface Announced extends UnservedOrder {
	minutes: number;
}

/**
 * Tells operators of orders that are promised soon: those who have them, else all on duty by web push, and `OPERATOR_EMAIL` by one mail.
 * Orders that were served meanwhile are left out. An order that somebody has is announced to them alone, and in the mail at the last
 * threshold, or at once when the push reached none of their devices.
 * @throws when the mail server is unavailable: the job tries again, with the same Message-ID; its push takes the place of the first one.
 */
export async function sendAlerts(context: AlertContext, { id, alerts }: { id: string; alerts: readonly DueAlert[] }): Promise<void> {
	const { db, mailer, environment, log, now } = context;
	const unserved = await listUnserved(
		db,
		alerts.map(({ orderId }) => orderId),
		now(),
	);
	const orders = unserved.map((order) => ({ ...order, minutes: alerts.find(({ orderId }) => orderId === order.id)?.minutes ?? 0 }));
	const reached = await pushToOperators(context, orders);
	const mailed = orders.filter(({ holder, minutes }) => holder === null || minutes === lastThreshold || !reached.has(holder.id));
	if (mailed.length > 0) {
		const toUrl = (number: string) => orderUrl(environment.deskUrl, number);
		const email = renderEmail(alertEmail(mailed, { toUrl, deskUrl: absoluteDesk(environment.deskUrl) }), environment.shop);
		const sent = await mailer.send({ id, to: environment.operatorEmail, ...email });
		if (!sent.ok) log.error({ reason: sent.reply }, "an alert to the operators was refused");
	}
}

const lastThreshold = 10;

const absoluteDesk = (deskUrl: string) => absoluteUrl(deskUrl, "/bureau/commandes");
export const orderUrl = (deskUrl: string, number: string) => `${absoluteDesk(deskUrl)}/${number}`;

/**
 * Sends one notification to each operator with all of their orders, on each of their devices.
 * @returns the operators of whom a device took it.
 */
async function pushToOperators({ db, pusher, environment, now }: AlertContext, orders: readonly Announced[]): Promise<ReadonlySet<string>> {
	const reached = new Set<string>();
	if (pusher.publicKey === null || orders.length === 0) return reached;
	const onDuty = await listOnDuty(db, now());
	const toOperator = (operatorId: string) =>
		orders.filter(({ holder }) => (holder === null ? onDuty.includes(operatorId) : holder.id === operatorId));
	const holders = orders.flatMap(({ holder }) => (holder ? [holder.id] : []));
	const devices = await listPushDevices(db, [...new Set([...onDuty, ...holders])]);
	await Promise.all(
		devices.map(async ({ operator_id, ...device }) => {
			const own = toOperator(operator_id);
			if (own.length === 0) return;
			const message = describePush(own, (number) => new URL(orderUrl(environment.deskUrl, number)).pathname);
			if (await sendToDevice(db, pusher, device, message)) reached.add(operator_id);
		}),
	);
	return reached;
}

/** A subscription that its browser has ended is deleted. @returns whether the push service took the message. */
async function sendToDevice(db: Database, pusher: Pusher, ...[device, message]: Parameters<Pusher["send"]>): Promise<boolean> {
	const result = await pusher.send(device, message);
	if (result === "gone") await deletePushDevice(db, device.endpoint);
	return result === "sent";
}
