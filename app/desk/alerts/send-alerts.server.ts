import { randomUUID } from "node:crypto";
import { href } from "react-router";
import type { Database } from "../../../server/database/database.ts";
import { day } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { formatHour } from "../../catalogue/instants.ts";
import { services } from "../../catalogue/services.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { alertEmail } from "./alert-emails.ts";
import {
	deleteAlertsOfLeavers,
	deleteOldAlerts,
	deletePushDevice,
	insertDueAlerts,
	listOnDuty,
	listPushDevices,
	listUnserved,
	type UnservedOrder,
} from "./alerts.store.server.ts";
import type { Pusher, PushMessage } from "./pusher.server.ts";

/** Minutes before the promise, the last one first: an order that reaches both at once is announced by the last. */
const alertThresholds = [10, 30] as const;

/** Marks older than this are of promises that have passed. */
const markLifetime = 7 * day;

/**
 * Finds the unserved orders that are promised within 30 or 10 minutes, each once per threshold, and sends one job for all of them
 * (docs/rules.md, R84).
 */
export async function findAlerts({ db, jobs, now }: Context): Promise<void> {
	await db.transaction().execute(async (trx) => {
		const found: DueAlert[] = [];
		for (const minutes of alertThresholds) found.push(...(await insertDueAlerts(trx, minutes, now())));
		const alerts = found.filter((alert, index) => found.findIndex(({ orderId }) => orderId === alert.orderId) === index);
		if (alerts.length > 0) await jobs.send(trx, "send-alerts", { id: randomUUID(), alerts });
		await deleteOldAlerts(trx, new Date(now().getTime() - markLifetime));
		await deleteAlertsOfLeavers(trx);
	});
}

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

/** The notification about orders that are promised soon, the most urgent first. It names numbers and services, no company and no person. */
function describePush(
	orders: readonly Pick<UnservedOrder, "order_number" | "product_code" | "promised_at">[],
	toPath: (number: string) => string,
): PushMessage {
	const [first, ...others] = orders;
	if (first === undefined) throw new Error("an alert has orders");
	const hour = formatHour(first.promised_at);
	return {
		title: others.length === 0 ? `À livrer avant ${hour}` : `${orders.length} commandes à livrer, la première avant ${hour}`,
		body:
			others.length === 0
				? `${first.order_number}, ${services[first.product_code].name}`
				: orders
						.slice(0, 3)
						.map(({ order_number, promised_at }) => `${order_number} avant ${formatHour(promised_at)}`)
						.join(", "),
		url: others.length === 0 ? toPath(first.order_number) : href("/bureau/commandes"),
		tag: "promises",
	};
}
