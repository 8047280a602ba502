import type { Shop } from "../../shop.ts";
import { actTable } from "./act-table.server.ts";
import { listPendingActs } from "./pending-acts.store.server.ts";
import type { PendingLine } from "./pending-bar.tsx";

/** The acts of an operator that can still be undone, for every page of the desk. */
export async function listPendingLines({ db, now }: Shop, operatorId: string): Promise<PendingLine[]> {
	return (await listPendingActs(db, operatorId, now())).map(({ key, act, order_number, due_at }) => ({
		...{ key, number: order_number, label: actTable[act]?.label ?? act, dueAt: due_at.toISOString() },
	}));
}
