import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { countOtherManagers, endMember, updateRoles } from "./operators.store.server.ts";
import { type ReleasedWork, releaseWork } from "./release-work.server.ts";
import { invitingRole, type Role } from "./roles.ts";

/** `last-manager`: nobody else could invite people or change settings. */
export type OperatorRefusal = "unknown-operator" | "last-manager";

export type RolesOutcome = { ok: true; before: Role[]; released: ReleasedWork } | { ok: false; code: OperatorRefusal };

/** Changes what a person may do, from their next request on. What they had to serve is given back with the role for it. */
export async function changeRoles({ db, now }: Pick<Context, "db" | "now">, id: string, roles: readonly Role[]): Promise<RolesOutcome> {
	return db.transaction().execute(async (trx): Promise<RolesOutcome> => {
		if (!roles.includes(invitingRole) && (await countOtherManagers(trx, id)) === 0) return { ok: false, code: "last-manager" };
		const before = await updateRoles(trx, id, { roles, now: now() });
		if (before === null) return { ok: false, code: "unknown-operator" };
		const released = roles.includes("serve") ? { orders: 0, messages: 0 } : await releaseWork(trx, id, now());
		return { ok: true, before, released };
	});
}

/**
 * Ends a person's work: roles, sessions, password, codes and passkeys. The name stays, because the trail has it.
 * @param whenEnded called in the same transaction.
 */
export async function endOperator(
	{ db, now }: Pick<Context, "db" | "now">,
	id: string,
	whenEnded: (trx: Trx, operatorId: string, now: Date) => Promise<unknown>,
): Promise<{ ok: true } | { ok: false; code: OperatorRefusal }> {
	return db.transaction().execute(async (trx): Promise<{ ok: true } | { ok: false; code: OperatorRefusal }> => {
		if ((await countOtherManagers(trx, id)) === 0) return { ok: false, code: "last-manager" };
		if (!(await endMember(trx, id, now()))) return { ok: false, code: "unknown-operator" };
		await whenEnded(trx, id, now());
		return { ok: true };
	});
}
