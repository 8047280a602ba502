import { Temporal } from "temporal-polyfill";
import { day } from "../../../server/durations.ts";
import { describeFault } from "../../../server/observability/log.ts";
import { deleteExpiredLimits } from "../../../server/rate-limits.ts";
import { typedEntries, typedFromEntries, typedKeys } from "../../../server/types/objects.ts";
import { deleteOldBooks } from "../../books/delete-old-books.server.ts";
import { zone } from "../../catalogue/instants.ts";
import { shareRetentionDays } from "../../catalogue/link-lifetimes.ts";
import { computeRetentionCutoff, retention } from "../../catalogue/retention.ts";
import { deleteExpiredForms } from "../../checkout/form/order-forms.server.ts";
import { deleteOldAlertProofs, deleteOldAlertRequests, endSilentAlerts } from "../../companies/alerts/alerts.store.server.ts";
import { deleteOldInterest, deleteOldMessages } from "../../customer/contact/contact.store.server.ts";
import { deleteOldShares } from "../../customer/sharing/shares.store.server.ts";
import { deleteExpiredCustomerSessions } from "../../customer/sign-in/sessions.store.server.ts";
import { deleteOldConversations } from "../../emails/messages/conversations.store.server.ts";
import { deleteOldProofs, deleteOldRequests, endOldSubscriptions } from "../../emails/newsletter/subscriptions.store.server.ts";
import { deleteOldDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";
import { deleteOldRuns } from "../../fulfilment/letters/letters.store.server.ts";
import type { StorageContext } from "../../orders/documents/storage.ts";
import { clearNewsletterConsents } from "../../orders/erased-orders.store.server.ts";
import { renewMailboxKeys } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { deletePaymentLogs } from "../../payments/payments.store.server.ts";
import { deleteOldSandboxRecords } from "../../payments/sandbox/sandbox.store.server.ts";
import { deleteOldProbes } from "../../web/status/status.store.server.ts";
import { deleteOldActs } from "../log/acts.store.server.ts";
import { deleteOldDeskLog } from "../log/desk-log.store.server.ts";
import { deleteExpiredSignIns } from "../operators/operators.store.server.ts";
import { deleteOldExtracts } from "./delete-old-extracts.server.ts";
import { deleteErasedOrders, eraseOrders } from "./erase-orders.server.ts";
import {
	countOrdersOfPurchases,
	type IdPage,
	listOrdersToDelete,
	listOrdersToErase,
	listOrdersWithOldExtract,
	listUnpaidOrders,
} from "./retention.store.server.ts";

interface Limits {
	/** The instant at which to stop; the next run continues. */
	until: Date;
}

/** One run of the purge. */
interface Run extends RetentionContext, Limits {
	step: string;
	/** Records a fault; the rest of the purge goes on. */
	fail: (error: unknown) => void;
}

/** Orders per query, and per transaction: a transaction takes at most a second, because others may wait for its locks. */
const pageSize = 5000;
const batchSize = 200;

/** Consecutive failed batches after which the storage counts as unavailable. */
const maxFailures = 3;

/** Milliseconds between two progress lines in the log. */
const logIntervalMs = 60_000;

/**
 * The steps of the purge, in this order (docs/rules.md, R43). Each may be repeated after an interruption, and returns how many it purged.
 * Erasing comes first, because it also deletes extracts.
 */
const steps = {
	orders: async (run) => {
		await renewMailboxKeys(run);
		return forEachPurchaseBatch(
			run,
			(page) => listOrdersToErase(run.db, { before: since(run, retention.orders), contractsSince: since(run, retention.contracts) }, page),
			async (ids) => {
				const { erased, deleted, archived, fault } = await eraseOrders(run, ids, { skipLocked: true, findableBy: "mailbox" });
				return { purged: erased.length + deleted.length + archived.length, fault };
			},
		);
	},
	extracts: (run) => {
		const before = since(run, retention.deliveredExtracts);
		return forEachBatch(
			run,
			(page) => listOrdersWithOldExtract(run.db, before, page),
			async (ids) => {
				const { orderIds, fault } = await deleteOldExtracts(run, ids, before);
				return { purged: orderIds.length, fault };
			},
		);
	},
	unpaidOrders: (run) =>
		forEachPurchaseBatch(
			run,
			(page) => listUnpaidOrders(run.db, since(run, retention.unpaidOrders), page),
			async (ids) => {
				const { deleted, fault } = await eraseOrders(run, ids, { skipLocked: true });
				return { purged: deleted.length, fault };
			},
		),
	extractDrafts: (context) => deleteOldDrafts(context.db, since(context, retention.extractDrafts)),
	letterRuns: (context) => deleteOldRuns(context.db, context.now()),
	shares: (context) => deleteOldShares(context.db, since(context, { days: shareRetentionDays })),
	orderForms: (context) => deleteExpiredForms(context.db, context.now()),
	accounts: (run) =>
		forEachPurchaseBatch(
			run,
			(page) => listOrdersToDelete(run.db, firstKeptYear(run.now()), page),
			async (ids) => {
				const { deleted, fault } = await deleteErasedOrders(run, ids);
				return { purged: deleted.length, fault };
			},
		),
	books: (run) => deleteOldBooks(run, firstKeptYear(run.now())),
	newsletters: async (context) => {
		const before = since(context, retention.marketing);
		return (await clearNewsletterConsents(context.db, before)) + (await endOldSubscriptions(context.db, before, context.now()));
	},
	newsletterRequests: (context) => deleteOldRequests(context.db, since(context, retention.newsletterRequests)),
	newsletterProofs: (context) => deleteOldProofs(context.db, since(context, retention.marketing)),
	companyAlerts: (context) => endSilentAlerts(context.db, since(context, retention.marketing), context.now()),
	companyAlertRequests: (context) => deleteOldAlertRequests(context.db, since(context, retention.newsletterRequests)),
	companyAlertProofs: (context) => deleteOldAlertProofs(context.db, since(context, retention.marketing)),
	interest: (context) => deleteOldInterest(context.db, since(context, retention.marketing)),
	messages: (context) => deleteOldMessages(context.db, since(context, retention.messages)),
	conversations: (context) => deleteOldConversations(context.db, since(context, retention.messages)),
	// the queue itself deletes completed jobs after a day
	paymentLogs: (context) => deletePaymentLogs(context.db, since(context, retention.logs)),
	sandbox: (context) => deleteOldSandboxRecords(context.db, since(context, retention.logs)),
	probes: (context) => deleteOldProbes(context.db, since(context, retention.probes)),
	deskActs: (context) => deleteOldActs(context.db, since(context, retention.logs)),
	customerSessions: (context) => deleteExpiredCustomerSessions(context.db),
	operatorSignIns: (context) => deleteExpiredSignIns(context.db),
	deskLog: (context) => deleteOldDeskLog(context.db, since(context, retention.logs)),
	limits: (context) => deleteExpiredLimits(context.db, context.now()),
	unfinishedFiles: (context) => context.storage.sweep(day),
} as const satisfies Record<string, (run: Run) => Promise<number>>;

export type Purged = Record<keyof typeof steps, number>;

/**
 * Deletes data whose retention period has ended. The next run continues an interrupted one, because each step reads what is left.
 * @returns the number of purged records by step.
 * @throws after the last step when a step failed; the job is tried again.
 */
export async function purge(context: RetentionContext, { until = never }: Partial<Limits> = {}): Promise<Purged> {
	const purged: Purged = typedFromEntries(typedKeys(steps).map((name): [keyof Purged, number] => [name, 0]));
	let fault: unknown;
	for (const [step, work] of typedEntries(steps)) {
		const fail = (error: unknown) => {
			context.log.error({ step, error: describeFault(error) }, "something could not be purged");
			fault ??= error;
		};
		try {
			purged[step] = await work({ ...context, until, step, fail });
		} catch (error) {
			fail(error);
		}
	}
	context.log.info(
		{ ...purged },
		context.now() >= until ? "the purge stops, and goes on next time" : "what has been kept long enough is purged",
	);
	if (fault !== undefined) throw fault;
	return purged;
}

/** The last instant of JavaScript. */
const never = new Date(8_640_000_000_000_000);

/** Minutes that the nightly purge may take. Its job expires after an hour (expireInSeconds), and the last batch must end before. */
const nightlyMinutes = 50;

export function purgeNightly(context: RetentionContext): Promise<Purged> {
	return purge(context, { until: new Date(context.now().getTime() + nightlyMinutes * 60_000) });
}

const since = ({ now }: RetentionContext, duration: Parameters<typeof computeRetentionCutoff>[1]) =>
	computeRetentionCutoff(now(), duration);

/** The first year whose accounts are still kept: they are kept for ten years from the end of the year. */
function firstKeptYear(now: Date): number {
	return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).year - retention.invoices.years;
}

type PurgeBatch = (ids: string[]) => Promise<{ purged: number; fault: unknown }>;

/** As forEachBatch, for whole purchases, which are purged together. @param list returns ids of first orders. */
const forEachPurchaseBatch = (run: Run, list: (page: IdPage) => Promise<string[]>, purgeBatch: PurgeBatch) =>
	forEachBatch(run, list, purgeBatch, (ids) => countOrdersOfPurchases(run.db, ids));

/**
 * Processes all listed orders once, batch by batch, until the time is up. A batch that fails does not stop the next ones.
 * @param list returns ids in ascending order. @param countOrders how many orders each of these ids stands for; by default one.
 * @returns the number of purged orders.
 */
export async function forEachBatch(
	run: Pick<Run, "now" | "log" | "until" | "step" | "fail">,
	list: (page: IdPage) => Promise<string[]>,
	purgeBatch: PurgeBatch,
	countOrders: (ids: string[]) => Promise<Map<string, number>> = async () => new Map(),
): Promise<number> {
	let [total, failures, loggedAt] = [0, 0, run.now().getTime()];
	for (let after: string | null = null; ; ) {
		const ids: string[] = await list({ after, limit: pageSize });
		for (const batch of splitIntoBatches(ids, await countOrders(ids))) {
			if (run.now() >= run.until) return total;
			const { purged, fault } = await purgeBatch(batch);
			total += purged;
			if (fault !== undefined) run.fail(fault);
			failures = fault !== undefined && purged === 0 ? failures + 1 : 0;
			if (failures === maxFailures) return total;
			if (run.now().getTime() - loggedAt < logIntervalMs) continue;
			loggedAt = run.now().getTime();
			run.log.info({ step: run.step, orders: total, done: estimateProgress(batch.at(-1)) }, "the purge goes on");
		}
		if (ids.length < pageSize) return total;
		after = ids.at(-1) ?? null;
	}
}

/** Batches of at most `batchSize` orders; a larger purchase would have its own. */
function splitIntoBatches(ids: readonly string[], sizes: ReadonlyMap<string, number>): string[][] {
	const batches: string[][] = [];
	let batch: string[] = [];
	let room = 0;
	for (const id of ids) {
		const size = sizes.get(id) ?? 1;
		if (size > room) {
			batch = [];
			batches.push(batch);
			room = batchSize;
		}
		batch.push(id);
		room -= size;
	}
	return batches;
}

/** Estimates the progress at an id, from 0 to 1: ids are random, so their first digits are evenly distributed. */
const estimateProgress = (id = "") => Number.parseInt(id.slice(0, 4), 16) / 0x1_0000;

/** The context of purge and erasure. */
export type RetentionContext = Pick<StorageContext, "db" | "environment" | "now" | "log" | "storage">;
