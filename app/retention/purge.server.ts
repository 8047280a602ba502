import { Temporal } from "temporal-polyfill";
import { describeFault } from "../../server/observability/log.ts";
import { deleteExpiredLimits } from "../../server/rate-limits.ts";
import { typedEntries, typedFromEntries, typedKeys } from "../../server/types/objects.ts";
import { zone } from "../catalogue/instants.ts";
import { computeRetentionCutoff, retention } from "../catalogue/retention.ts";
import { deleteOldInterest, deleteOldMessages } from "../contact/contacts.server.ts";
import { deleteOldDeskLog } from "../desk-log/desk-log.server.ts";
import { deleteOldProofs, deleteOldRequests, endOldSubscriptions } from "../newsletter/subscriptions.server.ts";
import { clearNewsletterConsents } from "../orders/orders.server.ts";
import { deletePaymentLogs } from "../payments/payment-sessions.server.ts";
import { deleteOldSandboxRecords } from "../payments/sandbox/sandbox-records.server.ts";
import { deleteOldProbes } from "../status/probes.server.ts";
import { deleteOldExtracts } from "./delete-old-extracts.server.ts";
import { deleteErasedOrders, eraseOrders } from "./erase-orders.server.ts";
import {
	type IdPage,
	listOrdersToDelete,
	listOrdersToErase,
	listOrdersWithOldExtract,
	listUnpaidOrders,
} from "./retention.store.server.ts";
import type { RetentionContext } from "./retention-context.ts";

interface Limits {
	/** When to stop: the rest goes on another time. Never, when absent. */
	until?: Date;
	/** Called after each batch: how far the step is, from 0 to 1, and how many orders it purged so far. */
	onProgress?: (step: string, fraction: number, orders: number) => void;
}

/** One run of the purge. */
interface Run extends RetentionContext, Limits {
	step: string;
	/** Records a fault; the rest of the purge goes on. */
	fail: (error: unknown) => void;
}

/** How many orders are looked for at once, and how many are purged in one transaction: it takes a second or less, and others may wait for it. */
const page = 5000;
const batch = 200;

/** After so many batches in a row that could do nothing, the storage is taken to be away. */
const mostFailures = 3;

/** Milliseconds between two lines of the log that say how far the purge is. */
const quietFor = 60_000;

const day = 86_400_000;

/**
 * What is purged, in this order (docs/rules.md, R43). Each step may run again from anywhere, and says how many it purged. An erased order has
 * no extract any more: to erase comes first.
 */
const steps = {
	orders: (run) =>
		forEachBatch(
			run,
			(page) => listOrdersToErase(run.db, since(run, retention.orders), page),
			async (ids) => {
				const { erased, deleted, fault } = await eraseOrders(run, ids, { wait: false });
				return { gone: erased.length + deleted.length, fault };
			},
		),
	extracts: (run) => {
		const before = since(run, retention.deliveredExtracts);
		return forEachBatch(
			run,
			(page) => listOrdersWithOldExtract(run.db, before, page),
			async (ids) => {
				const { gone, fault } = await deleteOldExtracts(run, ids, before);
				return { gone: gone.length, fault };
			},
		);
	},
	unpaidOrders: (run) =>
		forEachBatch(
			run,
			(page) => listUnpaidOrders(run.db, since(run, retention.unpaidOrders), page),
			async (ids) => {
				const { deleted, fault } = await eraseOrders(run, ids, { wait: false });
				return { gone: deleted.length, fault };
			},
		),
	accounts: (run) =>
		forEachBatch(
			run,
			(page) => listOrdersToDelete(run.db, firstKeptYear(run.now()), page),
			async (ids) => {
				const { deleted, fault } = await deleteErasedOrders(run, ids, { wait: false });
				return { gone: deleted.length, fault };
			},
		),
	newsletters: async (context) => {
		const before = since(context, retention.marketing);
		return (await clearNewsletterConsents(context.db, before)) + (await endOldSubscriptions(context.db, before, context.now()));
	},
	newsletterRequests: (context) => deleteOldRequests(context.db, since(context, retention.newsletterRequests)),
	newsletterProofs: (context) => deleteOldProofs(context.db, since(context, retention.marketing)),
	interest: (context) => deleteOldInterest(context.db, since(context, retention.marketing)),
	messages: (context) => deleteOldMessages(context.db, since(context, retention.messages)),
	// jobs that are done are forgotten by the queue itself, after a day
	paymentLogs: (context) => deletePaymentLogs(context.db, since(context, retention.logs)),
	sandbox: (context) => deleteOldSandboxRecords(context.db, since(context, retention.logs)),
	probes: (context) => deleteOldProbes(context.db, since(context, retention.probes)),
	deskLog: (context) => deleteOldDeskLog(context.db, since(context, retention.logs)),
	limits: (context) => deleteExpiredLimits(context.db, context.now()),
	unfinishedFiles: (context) => context.storage.sweep(new Date(context.now().getTime() - day)),
} as const satisfies Record<string, (run: Run) => Promise<number>>;

export type Purged = Record<keyof typeof steps, number>;

/**
 * Deletes what has been kept long enough. An interrupted run is continued by the next: the rows say what is left.
 * @returns how many of each.
 * @throws when something could not be purged, once the rest is done: the job is tried again.
 */
export async function purge(context: RetentionContext, limits: Limits = {}): Promise<Purged> {
	const purged: Purged = typedFromEntries(typedKeys(steps).map((name): [keyof Purged, number] => [name, 0]));
	let fault: unknown;
	for (const [step, work] of typedEntries(steps)) {
		const fail = (error: unknown) => {
			context.log.error({ step, error: describeFault(error) }, "something could not be purged");
			fault ??= error;
		};
		try {
			purged[step] = await work({ ...context, ...limits, step, fail });
		} catch (error) {
			fail(error);
		}
	}
	const cut = limits.until !== undefined && context.now() >= limits.until;
	context.log.info({ ...purged }, cut ? "the purge stops, and goes on next time" : "what has been kept long enough is purged");
	if (fault !== undefined) throw fault;
	return purged;
}

/** Minutes of its hour (expireInSeconds of the jobs sent by the clock) that the nightly purge takes at most: the last batch ends well within it. */
const nightly = 50;

export function purgeNightly(context: RetentionContext): Promise<Purged> {
	return purge(context, { until: new Date(context.now().getTime() + nightly * 60_000) });
}

const since = ({ now }: RetentionContext, duration: Parameters<typeof computeRetentionCutoff>[1]) =>
	computeRetentionCutoff(now(), duration);

/** The first year whose accounts are still kept: ten years from the end of each. */
function firstKeptYear(now: Date): number {
	return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).year - retention.invoices.years;
}

/**
 * Goes through all of them once, batch by batch, also past those that nothing can be done with, until the time is up.
 * @param list gives ids in their order. @returns of how many something is gone.
 */
export async function forEachBatch(
	run: Pick<Run, "now" | "log" | "until" | "onProgress" | "step" | "fail">,
	list: (page: IdPage) => Promise<string[]>,
	act: (ids: string[]) => Promise<{ gone: number; fault: unknown }>,
): Promise<number> {
	let [done, failures, toldAt] = [0, 0, run.now().getTime()];
	for (let after: string | null = null; ; ) {
		const ids: string[] = await list({ after, limit: page });
		for (let from = 0; from < ids.length; from += batch) {
			if (run.until !== undefined && run.now() >= run.until) return done;
			const some = ids.slice(from, from + batch);
			const { gone, fault } = await act(some);
			done += gone;
			if (fault !== undefined) run.fail(fault);
			failures = fault !== undefined && gone === 0 ? failures + 1 : 0;
			if (failures === mostFailures) return done;
			run.onProgress?.(run.step, placeOf(some.at(-1)), done);
			if (run.now().getTime() - toldAt < quietFor) continue;
			toldAt = run.now().getTime();
			run.log.info({ step: run.step, orders: done, done: placeOf(some.at(-1)) }, "the purge goes on");
		}
		after = ids.at(-1) ?? null;
		if (ids.length < page) {
			if (after !== null || done > 0) run.onProgress?.(run.step, 1, done);
			return done;
		}
	}
}

/** How far the purge is when it has come to this id, from 0 to 1: ids are drawn, so that their first digits lie evenly. */
const placeOf = (id = "") => Number.parseInt(id.slice(0, 4), 16) / 0x1_0000;
