import { isAPIError } from "better-auth/api";
import { isUuid } from "../../server/uuid.ts";
import { createDeviceCookie, findKnownDevice } from "./known-devices.server.ts";
import { codePoints, countFailures, failurePeriod } from "./limit-failures.server.ts";
import { findOperator, type Operator } from "./operators.store.server.ts";
import { recordSignIn } from "./record-sign-in.server.ts";
import { findSignedIn, ownHeaders, type SignInContext, type SignInOutcome, type SignInRequest } from "./sign-in.server.ts";
import { takeTimeStep } from "./time-steps.server.ts";

/** Second step: six digits of the authenticator, or a recovery code. Each works once. The trail has each success and each failure. */
export async function signInWithCode(context: SignInContext, typed: string, { headers, client }: SignInRequest): Promise<SignInOutcome> {
	const code = typed.replace(/[\s\u00a0\u202f]/g, "");
	const isOneTime = /^\d{6}$/.test(code);
	const signedIn = await findSignedIn(context, headers);
	const isEnrolling = signedIn?.operator.hasSecondFactor === false;
	const owner = signedIn?.operator ?? (await findCodeOwner(context, headers));
	const device = owner && (await findKnownDevice(context, owner.id, headers));
	return countFailures(context, codePoints(device, owner?.id ?? null, client), async (): Promise<SignInOutcome> => {
		// somebody who has left, or whose password nobody gave
		if (owner === null) return { ok: false, code: "expired" };
		// a recovery code does not prove that the authenticator works
		const outcome: SignInOutcome =
			isEnrolling && !isOneTime
				? { ok: false, code: "wrong" }
				: await verify(context, owner, { code, isOneTime }, ownHeaders(headers, client));
		const what = isEnrolling
			? "lier une application de codes"
			: `se connecter par mot de passe et ${isOneTime ? "code" : "code de secours"}`;
		if (outcome.ok || outcome.code === "wrong") await recordSignIn(context, owner, what, { client, ok: outcome.ok });
		return outcome;
	});
}

async function verify(
	context: SignInContext,
	{ id }: Operator,
	{ code, isOneTime }: { code: string; isOneTime: boolean },
	headers: Headers,
): Promise<SignInOutcome> {
	if (isOneTime && !(await takeTimeStep(context, id, code))) return { ok: false, code: "wrong" };
	const { api } = await context.operatorAuth();
	const call = { body: { code }, headers, returnHeaders: true } as const;
	try {
		const answer = isOneTime ? await api.verifyTOTP(call) : await api.verifyBackupCode(call);
		return { ok: true, cookies: [...answer.headers.getSetCookie(), await createDeviceCookie(context, id)], next: "desk" };
	} catch (error) {
		if (!isAPIError(error)) throw error;
		const { code: reason } = (error.body ?? {}) as { code?: string };
		if (reason === "ACCOUNT_TEMPORARILY_LOCKED") return { ok: false, code: "limited", retryAfter: failurePeriod };
		return { ok: false, code: reason === "INVALID_CODE" || reason === "INVALID_BACKUP_CODE" ? "wrong" : "expired" };
	}
}

/** Whose code the next one is: of the person who gave the password. The cookie's signature is better-auth's. */
async function findCodeOwner({ db, operatorAuth }: SignInContext, headers: Headers): Promise<Operator | null> {
	const cookie = /(?:^|;\s*)(?:__Secure-)?bureau\.two_factor=([^;.]+)/.exec(headers.get("cookie") ?? "")?.[1];
	if (cookie === undefined) return null;
	const { internalAdapter } = await (await operatorAuth()).$context;
	const value = (await internalAdapter.findVerificationValue(cookie))?.value;
	const owner = isUuid(value ?? "") ? await findOperator(db, value ?? "") : null;
	return owner && owner.leftAt === null ? owner : null;
}
