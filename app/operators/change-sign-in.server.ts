import { maxPasswordLength, minPasswordLength } from "./password.ts";
import { returnRefusal, type SignInContext } from "./sign-in.server.ts";

export type PasswordOutcome = { ok: true; cookies: string[] } | { ok: false; code: "wrong" | "short" | "long" };

/** Changes the password of the session's operator and ends their other sessions. */
export async function changePassword(
	{ operatorAuth }: SignInContext,
	{ current, next }: { current: string; next: string },
	headers: Headers,
): Promise<PasswordOutcome> {
	if (next.length < minPasswordLength) return { ok: false, code: "short" };
	if (next.length > maxPasswordLength) return { ok: false, code: "long" };
	const { api } = await operatorAuth();
	const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
	const answer = await api.changePassword({ body, headers, returnHeaders: true }).catch(returnRefusal);
	return answer ? { ok: true, cookies: answer.headers.getSetCookie() } : { ok: false, code: "wrong" };
}

/** Replaces the recovery codes of the session's operator. @returns null when the password is wrong. */
export async function createRecoveryCodes({ operatorAuth }: SignInContext, password: string, headers: Headers): Promise<string[] | null> {
	const { api } = await operatorAuth();
	const answer = await api.generateBackupCodes({ body: { password }, headers }).catch(returnRefusal);
	return answer?.backupCodes ?? null;
}
