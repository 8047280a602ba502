import type { Database, Trx } from "../../../server/database/database.ts";
import { deletePushDevices } from "../../alerts/alerts.server.ts";
import { undoActsOf } from "../../desk-log/desk-log.server.ts";
import { endAllSessions } from "../../operators/operators.server.ts";

/** How much ended: sessions, acts that had not begun, and devices that showed alerts. */
export interface EndedAccess {
	sessions: number;
	acts: number;
	devices: number;
}

/** Ends all sessions of an operator, and what somebody in one of them could leave behind. */
export async function endAccess(db: Database, operatorId: string): Promise<EndedAccess> {
	return db.transaction().execute(async (trx) => {
		const sessions = await endAllSessions(trx, operatorId);
		return { sessions, ...(await endReach(trx, operatorId)) };
	});
}

/** Undoes the acts of an operator that have not begun, and deletes the devices that show their alerts. */
export async function endReach(trx: Trx, operatorId: string): Promise<Omit<EndedAccess, "sessions">> {
	return { acts: await undoActsOf(trx, operatorId), devices: await deletePushDevices(trx, operatorId) };
}
