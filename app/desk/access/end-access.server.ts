import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { deletePushDevices } from "../alerts/alerts.store.server.ts";
import { undoActsOf } from "../log/acts.store.server.ts";
import { endOperator, type OperatorRefusal } from "../operators/end-operator.server.ts";
import { endAllSessions } from "../operators/operators.store.server.ts";

/** How much ended: sessions, acts that had not begun, and devices that showed alerts. */
export interface EndedAccess {
	sessions: number;
	acts: number;
	devices: number;
}

/** Ends all sessions of an operator, and what somebody in one of them could leave behind. */
export async function endAccess({ db, now }: Pick<Context, "db" | "now">, operatorId: string): Promise<EndedAccess> {
	return db.transaction().execute(async (trx) => {
		const sessions = await endAllSessions(trx, operatorId);
		return { sessions, ...(await undoActsAndDeleteDevices(trx, operatorId, now())) };
	});
}

/** Ends a person's work at the desk (endOperator), and with it the acts that have not begun and the devices that show alerts. */
export async function closeAccess(
	context: Pick<Context, "db" | "now">,
	operatorId: string,
): Promise<({ ok: true } & Omit<EndedAccess, "sessions">) | { ok: false; code: OperatorRefusal }> {
	let ended = { acts: 0, devices: 0 };
	const outcome = await endOperator(context, operatorId, async (trx, id, now) => {
		ended = await undoActsAndDeleteDevices(trx, id, now);
	});
	return outcome.ok ? { ...outcome, ...ended } : outcome;
}

/** Ends what an operator leaves behind: the acts that have not begun and the devices that show alerts. */
export async function undoActsAndDeleteDevices(trx: Trx, operatorId: string, now: Date): Promise<Omit<EndedAccess, "sessions">> {
	return { acts: await undoActsOf(trx, operatorId, now), devices: await deletePushDevices(trx, operatorId) };
}
