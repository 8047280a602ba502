import { enqueueAccessNotice } from "./access-notice.server.ts";
import { createDeviceCookie } from "./known-devices.server.ts";
import { countPasswordFailures } from "./limit-failures.server.ts";
import { openSession } from "./open-session.server.ts";
import { endAllSessions, findOperator, updatePassword } from "./operators.store.server.ts";
import { maxPasswordLength, minPasswordLength } from "./password.ts";
import { pickCookies, returnRefusal, type SignedIn, type SignInContext, type SignInRequest, startSession } from "./sign-in.server.ts";

/** `stale`: the factors were given too long ago. */
export type PasswordOutcome =
	| { ok: true; cookies: string[] }
	| { ok: false; code: "wrong" | "short" | "long" | "limited" | "stale" | "ended" };

export type CodesOutcome = { ok: true; recoveryCodes: string[] } | { ok: false; code: "wrong" | "limited" | "stale" };

/** Milliseconds since both factors were given. What outlives the session asks for it, against who finds it unattended. */
const freshTime = 900_000;

/** Whether a person gave both factors so lately that they may change what opens their access. */
export const isFresh = ({ now }: Pick<SignInContext, "now">, { provedAt }: Pick<SignedIn, "provedAt">): boolean =>
	provedAt !== null && now().getTime() - provedAt.getTime() <= freshTime;

/**
 * Changes the password of a session's operator, ends their sessions, and knows no device but this one, which gets a new session. Both
 * factors count as given when they were given in the old one.
 */
export async function changePassword(
	context: SignInContext,
	signedIn: SignedIn,
	{ current, next }: { current: string; next: string },
	request: SignInRequest,
): Promise<PasswordOutcome> {
	if (!isFresh(context, signedIn)) return { ok: false, code: "stale" };
	if (next.length < minPasswordLength) return { ok: false, code: "short" };
	if (next.length > maxPasswordLength) return { ok: false, code: "long" };
	const { operator, provedAt } = signedIn;
	return countPasswordFailures(context, operator.id, async (): Promise<PasswordOutcome> => {
		const { internalAdapter, password } = await (await context.operatorAuth()).$context;
		const hash = (await internalAdapter.findCredentialAccount(operator.id))?.password;
		if (!hash) return { ok: false, code: "wrong" };
		const newHash = await context.passwordQueue.runFirst(async () =>
			(await password.verify({ hash, password: current })) ? password.hash(next) : null,
		);
		if (newHash === null) return { ok: false, code: "wrong" };
		const changed = await context.db.transaction().execute(async (trx) => {
			// of a new access or password that came meanwhile, nothing is replaced
			if (!(await updatePassword(trx, operator.id, { from: hash, to: newHash }))) return null;
			await endAllSessions(trx, operator.id);
			await enqueueAccessNotice(context, trx, { operatorId: operator.id, change: "password", client: request.client });
			return findOperator(trx, operator.id);
		});
		const cookies = changed && (await startSession(context, operator.id, request));
		if (!cookies || !provedAt || !(await openSession(context, cookies, changed, { provedAt }))) return { ok: false, code: "ended" };
		return { ok: true, cookies: [...cookies, await createDeviceCookie(context, operator.id)] };
	});
}

/** Replaces the recovery codes of a session's operator. */
export async function createRecoveryCodes(
	context: SignInContext,
	signedIn: SignedIn,
	password: string,
	request: SignInRequest,
): Promise<CodesOutcome> {
	if (!isFresh(context, signedIn)) return { ok: false, code: "stale" };
	const { id } = signedIn.operator;
	const { api } = await context.operatorAuth();
	const headers = await pickCookies(context, request, "session");
	return countPasswordFailures(context, id, async (): Promise<CodesOutcome> => {
		const create = () => api.generateBackupCodes({ body: { password }, headers }).catch(returnRefusal);
		const answer = await context.passwordQueue.runFirst(create);
		if (answer === null) return { ok: false, code: "wrong" };
		const notice = { operatorId: id, change: "codes", client: request.client } as const;
		await context.db.transaction().execute((trx) => enqueueAccessNotice(context, trx, notice));
		return { ok: true, recoveryCodes: answer.backupCodes };
	});
}
