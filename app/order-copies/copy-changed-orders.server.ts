import { describeFault } from "../../server/observability/log.ts";
import type { Runtime } from "../../server/runtime.ts";
import { type CopyDeps, copyOrder } from "./copy-order.server.ts";
import { presentKeyId } from "./encrypt-copy.server.ts";
import { countUnderOtherKey, listChangedOrders, listOrdersUnderOtherKey } from "./order-copies.store.server.ts";

/** How many are copied at once: each holds a connection of the pool, which other jobs need too. */
const atOnce = 4;

const page = 200;

/** How many are copied again under a new key in one go: the rest waits for the next minute. */
const mostUnderNewKey = 10_000;

/**
 * Copies every order that changed since its copy was made, then those whose copy was made with another key than the present one, or
 * not yet. One that cannot be copied keeps none of the others waiting.
 * @throws the first fault, once the others are copied.
 */
export async function copyChangedOrders(deps: CopyDeps & Pick<Runtime, "log">): Promise<void> {
	const { db, log, storage } = deps;
	if (!(await storage.ready())) throw new Error("the storage does not answer: no order is copied");
	const keyId = presentKeyId(deps.environment);
	const faults: Fault[] = [];
	const changed = await copyEach(deps, (after) => listChangedOrders(db, after, page), Number.POSITIVE_INFINITY, faults);
	const renewed = await copyEach(deps, (after) => listOrdersUnderOtherKey(db, keyId, after, page), mostUnderNewKey, faults);
	if (renewed > 0) log.info({ changed, renewed, left: await countUnderOtherKey(db, keyId) }, "copies of orders are under the present key");
	const [first] = faults;
	if (first === undefined) return;
	log.error({ orders: faults.length, order: first.orderId, error: describeFault(first.error) }, "some orders are not copied");
	throw first.error;
}

interface Fault {
	orderId: string;
	error: unknown;
}

/** @returns how many were copied. */
async function copyEach(deps: CopyDeps, list: (after: string) => Promise<string[]>, most: number, faults: Fault[]): Promise<number> {
	let copied = 0;
	let after = "00000000-0000-0000-0000-000000000000";
	while (copied < most) {
		const ids = await list(after);
		const left = ids.values();
		const copyOn = async () => {
			for (const id of left) {
				try {
					await copyOrder(deps, id);
					copied++;
				} catch (error) {
					faults.push({ orderId: id, error });
				}
			}
		};
		await Promise.all(Array.from({ length: atOnce }, copyOn));
		// a storage that takes none is not asked again for each
		if (ids.length < page || faults.length >= page) break;
		after = ids.at(-1) ?? after;
	}
	return copied;
}
