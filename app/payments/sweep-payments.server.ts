import { inContext } from "../../server/observability/request-context.ts";
import { remindToPay } from "../order-emails/queue-order-email.server.ts";
import { changeState } from "../orders/orders.server.ts";
import { claimSessionsToSync, listOrdersWithoutSession } from "./payments.store.server.ts";
import { endSession, type SyncDeps, syncSession } from "./sync-session.server.ts";

const day = 86_400_000;

/** How many are looked at in one go; the rest waits for the next minute. */
const batch = 200;

/**
 * Asks the provider about sessions whose end nobody told us, closes those that no order waits for any more, and ends orders
 * that never got one. Makes up for every event that does not come.
 */
export async function sweepPayments(deps: SyncDeps): Promise<void> {
	for (const { id, orderWaits } of await claimSessionsToSync(deps.db, deps.now(), batch)) {
		const settled = await inContext({ order: undefined }, () => (orderWaits ? syncSession(deps, id, null) : endSession(deps, id)));
		if (settled === "unavailable") return;
	}
	for (const { id } of await listOrdersWithoutSession(deps.db, new Date(deps.now().getTime() - day), batch)) {
		await deps.db.transaction().execute(async (trx) => {
			if (await changeState(trx, id, "expired", { set: { failure_reason: "expired" }, now: deps.now() })) await remindToPay(deps, trx, id);
		});
	}
}
