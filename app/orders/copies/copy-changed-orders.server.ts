import { describeFault } from "../../../server/observability/log.ts";
import type { StorageContext } from "../documents/storage.ts";
import { copyOrder } from "./copy-order.server.ts";
import { getCurrentKeyId } from "./encrypt-copy.server.ts";
import { countUnderOtherKey, listChangedOrders, listOrdersUnderOtherKey } from "./order-copies.store.server.ts";
import type { CopyContext } from "./read-copy.server.ts";

/** Each concurrent copy uses a connection of the pool, which other jobs need, too. */
const maxConcurrentCopies = 4;

const pageSize = 200;

/** Copies to renew under a new key per run; the rest waits for the next minute. */
const maxRenewals = 10_000;

/**
 * Copies every order that changed since its last copy, then those without a copy under the current key. A failed copy does not stop the
 * others.
 * @throws the first error, after the others are copied.
 */
export async function copyChangedOrders(context: StorageContext): Promise<void> {
	const { db, log, storage } = context;
	if (!(await storage.ready())) throw new Error("the storage does not answer: no order is copied");
	const keyId = getCurrentKeyId(context.environment);
	const failures: CopyFailure[] = [];
	const changed = await copyAll(context, (after) => listChangedOrders(db, after, pageSize), Number.POSITIVE_INFINITY, failures);
	const renewed = await copyAll(context, (after) => listOrdersUnderOtherKey(db, keyId, after, pageSize), maxRenewals, failures);
	if (renewed > 0) log.info({ changed, renewed, left: await countUnderOtherKey(db, keyId) }, "copies of orders are under the present key");
	const [first] = failures;
	if (first === undefined) return;
	log.error({ orders: failures.length, order: first.orderId, error: describeFault(first.error) }, "some orders are not copied");
	throw first.error;
}

interface CopyFailure {
	orderId: string;
	error: unknown;
}

/** @returns the number of copied orders. */
async function copyAll(
	context: CopyContext,
	list: (after: string) => Promise<string[]>,
	maxCopies: number,
	failures: CopyFailure[],
): Promise<number> {
	let copied = 0;
	let after = "00000000-0000-0000-0000-000000000000";
	while (copied < maxCopies) {
		const ids = await list(after);
		const remaining = ids.values();
		const copyRemaining = async () => {
			for (const id of remaining) {
				try {
					await copyOrder(context, id);
					copied++;
				} catch (error) {
					failures.push({ orderId: id, error });
				}
			}
		};
		await Promise.all(Array.from({ length: maxConcurrentCopies }, copyRemaining));
		// stops when the storage fails for a whole page
		if (ids.length < pageSize || failures.length >= pageSize) break;
		after = ids.at(-1) ?? after;
	}
	return copied;
}
