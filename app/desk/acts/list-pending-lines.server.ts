import type { Shop } from "../../shop.ts";
import type { Role } from "../operators/roles.ts";
import { getOrderPath } from "../shell/order-path.ts";
import { labelAct } from "./act-table.server.ts";
import { listPendingActs, listRefusedActs } from "./pending-acts.store.server.ts";
import type { PendingLine, RefusedLine } from "./pending-bar.tsx";

/** Milliseconds for which a refused act stays in the bar, as on the page of its order. */
const refusalTime = 900_000;

/** The acts of an operator that can still be undone, for every page of the desk. */
export async function listPendingLines({ db, now }: Shop, operatorId: string): Promise<PendingLine[]> {
	return (await listPendingActs(db, operatorId, now())).map(({ key, act, order_number, due_at }) => ({
		key,
		number: order_number,
		label: labelAct(act),
		dueAt: due_at.toISOString(),
	}));
}

/** The acts of an operator that were not done when their time came, for every page of the desk. */
export async function listRefusedLines({ db, now }: Shop, operator: { id: string; roles: readonly Role[] }): Promise<RefusedLine[]> {
	const roles = new Set(operator.roles);
	const refused = await listRefusedActs(db, operator.id, new Date(now().getTime() - refusalTime));
	return refused.map(({ key, act, order_number, sentence }) => ({
		key,
		number: order_number,
		path: getOrderPath(order_number, roles),
		label: labelAct(act),
		sentence,
	}));
}
