import { Temporal } from "temporal-polyfill";
import { describeFault } from "../../server/log.ts";
import { forgetRateLimits } from "../../server/rate-limits.ts";
import type { Runtime } from "../../server/runtime.ts";
import { zone } from "../catalogue/instants.ts";
import { keptSince, retention } from "../catalogue/retention.ts";
import { deleteOldInterest, deleteOldMessages } from "../contact/contact.store.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { deleteOldProofs, deleteOldRequests, endOldSubscriptions } from "../newsletter/subscriptions.store.server.ts";
import { forgetExtract } from "../orders/forget-extract.server.ts";
import {
	endNewsletters,
	type IdPage,
	listOrdersToDelete,
	listOrdersToErase,
	listOrdersWithOldExtract,
	listUnpaidOrders,
} from "../orders/retention.store.server.ts";
import { forgetPaymentLogs } from "../payment/payment.store.server.ts";
import { forgetSandbox } from "../payment/sandbox.store.server.ts";
import { deleteOldProbes } from "../status/status.store.server.ts";
import { deleteOldDeskLog } from "./desk-log.store.server.ts";
import { deleteErasedOrder, eraseOrder } from "./erase-order.server.ts";

type Deps = Pick<Runtime, "db" | "now" | "log"> & { storage: DocumentStorage };

/** How many orders are looked for at once. */
const batch = 200;

const day = 86_400_000;

/** What is purged, in this order (decision D3). Each step may run again from anywhere, and says how many it purged. */
const steps = {
	extracts: (deps) =>
		forEachOrder(
			(page) => listOrdersWithOldExtract(deps.db, since(deps, retention.deliveredExtracts), page),
			(id) => forgetExtract(deps, id),
		),
	orders: (deps) =>
		forEachOrder(
			(page) => listOrdersToErase(deps.db, since(deps, retention.orders), page),
			async (id) => ["erased", "deleted"].includes(await eraseOrder(deps, id)),
		),
	unpaidOrders: (deps) =>
		forEachOrder(
			(page) => listUnpaidOrders(deps.db, since(deps, retention.unpaidOrders), page),
			async (id) => (await eraseOrder(deps, id)) === "deleted",
		),
	accounts: (deps) =>
		forEachOrder(
			(page) => listOrdersToDelete(deps.db, firstKeptYear(deps.now()), page),
			(id) => deleteErasedOrder(deps, id),
		),
	newsletters: async (deps) => {
		const before = since(deps, retention.marketing);
		return (await endNewsletters(deps.db, before)) + (await endOldSubscriptions(deps.db, before, deps.now()));
	},
	newsletterRequests: (deps) => deleteOldRequests(deps.db, since(deps, retention.newsletterRequests)),
	newsletterProofs: (deps) => deleteOldProofs(deps.db, since(deps, retention.marketing)),
	interest: (deps) => deleteOldInterest(deps.db, since(deps, retention.marketing)),
	messages: (deps) => deleteOldMessages(deps.db, since(deps, retention.messages)),
	// jobs that are done are forgotten by the queue itself, after a day
	paymentLogs: (deps) => forgetPaymentLogs(deps.db, since(deps, retention.logs)),
	sandbox: (deps) => forgetSandbox(deps.db, since(deps, retention.logs)),
	probes: (deps) => deleteOldProbes(deps.db, since(deps, retention.probes)),
	deskLog: (deps) => deleteOldDeskLog(deps.db, since(deps, retention.logs)),
	limits: (deps) => forgetRateLimits(deps.db, deps.now()),
	unfinishedFiles: (deps) => deps.storage.sweep(new Date(deps.now().getTime() - day)),
} as const satisfies Record<string, (deps: Deps) => Promise<number>>;

export type Purged = Record<keyof typeof steps, number>;

/**
 * Forgets what has been kept long enough.
 * @returns how many of each.
 * @throws when a step failed, once the others are done: the job is tried again.
 */
export async function purge(deps: Deps): Promise<Purged> {
	const purged = {} as Purged;
	let fault: unknown;
	for (const [name, step] of Object.entries(steps) as [keyof Purged, (deps: Deps) => Promise<number>][]) {
		try {
			purged[name] = await step(deps);
		} catch (error) {
			deps.log.error({ step: name, error: describeFault(error) }, "something could not be purged");
			fault ??= error;
		}
	}
	deps.log.info({ ...purged }, "what has been kept long enough is purged");
	if (fault !== undefined) throw fault;
	return purged;
}

const since = ({ now }: Deps, duration: Parameters<typeof keptSince>[1]) => keptSince(now(), duration);

/** The first year whose accounts are still kept: ten years from the end of each. */
function firstKeptYear(now: Date): number {
	return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).year - retention.invoices.years;
}

/** Goes through all of them once, also past those that nothing can be done with. @returns for how many something was done. */
export async function forEachOrder(list: (page: IdPage) => Promise<string[]>, act: (id: string) => Promise<boolean>): Promise<number> {
	let done = 0;
	for (let after: string | null = null; ; ) {
		const ids: string[] = await list({ after, limit: batch });
		for (const id of ids) if (await act(id)) done++;
		after = ids.at(-1) ?? null;
		if (ids.length < batch) return done;
	}
}
