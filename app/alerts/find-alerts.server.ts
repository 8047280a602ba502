import { randomUUID } from "node:crypto";
import { day } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { deleteAlertsOfLeavers, deleteOldAlerts, insertDueAlerts } from "./alerts.store.server.ts";
import type { DueAlert } from "./send-alerts.server.ts";

/** Minutes before the promise, the last one first: an order that reaches both at once is announced by the last. */
export const alertThresholds = [10, 30] as const;

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
