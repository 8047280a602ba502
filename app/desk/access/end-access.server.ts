import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { deletePushDevices } from "../alerts/alerts.store.server.ts";
import { undoActsOf } from "../log/acts.store.server.ts";
import { endOperator, type OperatorRefusal } from "../operators/end-operator.server.ts";
import { endAllSessions } from "../operators/operators.store.server.ts";
import { type ReleasedWork, releaseWork } from "../operators/release-work.server.ts";

/** How much ended: sessions, acts that had not begun, devices that showed alerts; and the orders and messages that were given back. */
export interface EndedAccess extends ReleasedWork {
	sessions: number;
	acts: number;
	devices: number;
}

/** Ends all sessions of an operator, and what somebody in one of them could leave behind. */
export async function endAccess({ db, now }: Pick<Context, "db" | "now">, operatorId: string): Promise<EndedAccess> {
	return db.transaction().execute(async (trx) => {
		const sessions = await endAllSessions(trx, operatorId);
		return { sessions, ...(await endWork(trx, operatorId, now())) };
	});
}

/** Ends a person's access to the desk (endOperator), and with it their work (endWork). */
export async function closeAccess(
	context: Pick<Context, "db" | "now">,
	operatorId: string,
): Promise<({ ok: true } & Omit<EndedAccess, "sessions">) | { ok: false; code: OperatorRefusal }> {
	let ended = { acts: 0, devices: 0, orders: 0, messages: 0 };
	const outcome = await endOperator(context, operatorId, async (trx, id, now) => {
		ended = await endWork(trx, id, now);
	});
	return outcome.ok ? { ...outcome, ...ended } : outcome;
}

/** Ends what an operator leaves behind: acts that have not begun, devices that show alerts, and what they kept from others. */
export async function endWork(trx: Trx, operatorId: string, now: Date): Promise<Omit<EndedAccess, "sessions">> {
	const [acts, devices] = [await undoActsOf(trx, operatorId, now), await deletePushDevices(trx, operatorId)];
	return { acts, devices, ...(await releaseWork(trx, operatorId, now)) };
}
