import { enqueueAccessNotice } from "./access-notice.server.ts";
import { createDeviceCookie } from "./known-devices.server.ts";
import { endKnownDevices } from "./known-devices.store.server.ts";
import { countPasswordFailures } from "./limit-failures.server.ts";
import { maxPasswordLength, minPasswordLength } from "./password.ts";
import { returnRefusal, type SignInContext, type SignInRequest } from "./sign-in.server.ts";

export type PasswordOutcome = { ok: true; cookies: string[] } | { ok: false; code: "wrong" | "short" | "long" | "limited" };

export type CodesOutcome = { ok: true; recoveryCodes: string[] } | { ok: false; code: "wrong" | "limited" };

/** Changes the password of the session's operator, ends their other sessions, and knows no device but this one. */
export async function changePassword(
	context: SignInContext,
	operatorId: string,
	{ current, next }: { current: string; next: string },
	{ headers, client }: SignInRequest,
): Promise<PasswordOutcome> {
	if (next.length < minPasswordLength) return { ok: false, code: "short" };
	if (next.length > maxPasswordLength) return { ok: false, code: "long" };
	const { api } = await context.operatorAuth();
	const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
	return countPasswordFailures(context, operatorId, async (): Promise<PasswordOutcome> => {
		const answer = await api.changePassword({ body, headers, returnHeaders: true }).catch(returnRefusal);
		if (answer === null) return { ok: false, code: "wrong" };
		await context.db.transaction().execute(async (trx) => {
			await endKnownDevices(trx, operatorId);
			await enqueueAccessNotice(context, trx, { operatorId, change: "password", client });
		});
		return { ok: true, cookies: [...answer.headers.getSetCookie(), await createDeviceCookie(context, operatorId)] };
	});
}

/** Replaces the recovery codes of the session's operator. */
export async function createRecoveryCodes(
	context: SignInContext,
	operatorId: string,
	password: string,
	{ headers, client }: SignInRequest,
): Promise<CodesOutcome> {
	const { api } = await context.operatorAuth();
	return countPasswordFailures(context, operatorId, async (): Promise<CodesOutcome> => {
		const answer = await api.generateBackupCodes({ body: { password }, headers }).catch(returnRefusal);
		if (answer === null) return { ok: false, code: "wrong" };
		await context.db.transaction().execute((trx) => enqueueAccessNotice(context, trx, { operatorId, change: "codes", client }));
		return { ok: true, recoveryCodes: answer.backupCodes };
	});
}
