import { isAPIError } from "better-auth/api";
import { createDeviceCookie, findKnownDevice } from "./known-devices.server.ts";
import { codePoints, countFailures, failurePeriod } from "./limit-failures.server.ts";
import { findSignedIn, ownHeaders, type SignInContext, type SignInOutcome, type SignInRequest } from "./sign-in.server.ts";
import { takeTimeStep } from "./time-steps.server.ts";

/** Second step: six digits of the authenticator, or a recovery code. Each works once. */
export async function signInWithCode(context: SignInContext, typed: string, { headers, client }: SignInRequest): Promise<SignInOutcome> {
	const code = typed.replace(/[\s\u00a0\u202f]/g, "");
	const owner = await findCodeOwner(context, headers);
	const device = owner === null ? null : await findKnownDevice(context, owner, headers);
	return countFailures(context, codePoints(device, owner, client), async (): Promise<SignInOutcome> => {
		const isOneTime = /^\d{6}$/.test(code);
		if (isOneTime && owner !== null && !(await takeTimeStep(context, owner, code))) return { ok: false, code: "wrong" };
		const { api } = await context.operatorAuth();
		const call = { headers: ownHeaders(headers, client), returnHeaders: true } as const;
		try {
			const answer = isOneTime
				? await api.verifyTOTP({ body: { code }, ...call })
				: await api.verifyBackupCode({ body: { code }, ...call });
			const deviceCookie = await createDeviceCookie(context, answer.response.user.id);
			return { ok: true, cookies: [...answer.headers.getSetCookie(), deviceCookie], next: "desk" };
		} catch (error) {
			if (!isAPIError(error)) throw error;
			const { code: reason } = (error.body ?? {}) as { code?: string };
			if (reason === "ACCOUNT_TEMPORARILY_LOCKED") return { ok: false, code: "limited", retryAfter: failurePeriod };
			return { ok: false, code: reason === "INVALID_CODE" || reason === "INVALID_BACKUP_CODE" ? "wrong" : "expired" };
		}
	});
}

/** Whose code the next one is: of the person who gave the password, or who is signed in by it. The cookie's signature is better-auth's. */
async function findCodeOwner(context: SignInContext, headers: Headers): Promise<string | null> {
	const cookie = /(?:^|;\s*)(?:__Secure-)?bureau\.two_factor=([^;.]+)/.exec(headers.get("cookie") ?? "")?.[1];
	const signedIn = await findSignedIn(context, headers);
	if (signedIn !== null || cookie === undefined) return signedIn?.operator.id ?? null;
	const { internalAdapter } = await (await context.operatorAuth()).$context;
	return (await internalAdapter.findVerificationValue(cookie))?.value ?? null;
}
