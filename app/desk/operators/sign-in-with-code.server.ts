import { createHmac, timingSafeEqual } from "node:crypto";
import { isUuid } from "../../../server/uuid.ts";
import type { Verb } from "../log/verbs.ts";
import { createDeviceCookie, findKnownDevice } from "./known-devices.server.ts";
import { codePoints, countFailures, failurePeriod } from "./limit-failures.server.ts";
import { openSession, recordSignIn } from "./open-session.server.ts";
import { findOperator, findTwoFactorSecret, type Operator, updateLastStep } from "./operators.store.server.ts";
import { findSignedIn, pickCookies, type SignInContext, type SignInOutcome, type SignInRequest } from "./sign-in.server.ts";

/** Second step: six digits of the authenticator, or a recovery code. Each works once. The trail has each success and each failure. */
export async function signInWithCode(context: SignInContext, typed: string, request: SignInRequest): Promise<SignInOutcome> {
	// better-auth reads the cookie that names the owner, and no other
	const headers = await pickCookies(context, request, "code");
	const owner = await findCodeOwner(context, headers);
	const { code, isOneTime } = parseCode(typed);
	const verb = isOneTime ? "sign-in-with-code" : "sign-in-with-recovery-code";
	return tryCode(context, owner, request, { verb, run: (operator) => verify(context, operator, { code, isOneTime }, headers) });
}

/** The first code of an authenticator, in a session by password alone. All other sessions of the person end. */
export async function confirmSecondFactor(context: SignInContext, typed: string, request: SignInRequest): Promise<SignInOutcome> {
	const signedIn = await findSignedIn(context, request.headers);
	const owner = signedIn?.provedAt === null ? signedIn.operator : null;
	const headers = await pickCookies(context, request, "session");
	const { code, isOneTime } = parseCode(typed);
	const run = async (operator: Operator): Promise<SignInOutcome> => {
		// a recovery code does not prove that the authenticator works
		if (!isOneTime) return { ok: false, code: "wrong" };
		return verify(context, operator, { code, isOneTime, isEnrolling: true }, headers);
	};
	return tryCode(context, owner, request, { verb: "link-authenticator", run });
}

function parseCode(typed: string): { code: string; isOneTime: boolean } {
	const code = typed.replace(/[\s\u00a0\u202f]/g, "");
	return { code, isOneTime: /^\d{6}$/.test(code) };
}

/** @param owner null: somebody who has left, or whose password nobody gave. */
async function tryCode(
	context: SignInContext,
	owner: Operator | null,
	{ headers, client }: SignInRequest,
	{ verb, run }: { verb: Verb; run: (owner: Operator) => Promise<SignInOutcome> },
): Promise<SignInOutcome> {
	const device = owner && (await findKnownDevice(context, owner.id, headers));
	return countFailures(context, codePoints(device, owner?.id ?? null, client), async (): Promise<SignInOutcome> => {
		if (owner === null) return { ok: false, code: "expired" };
		const outcome = await run(owner);
		if (outcome.ok || outcome.code === "wrong") await recordSignIn(context, owner, verb, { client, ok: outcome.ok });
		return outcome;
	});
}

/** @param headers with one cookie, which proves the password. */
async function verify(
	context: SignInContext,
	owner: Operator,
	{ code, isOneTime, isEnrolling = false }: { code: string; isOneTime: boolean; isEnrolling?: boolean },
	headers: Headers,
): Promise<SignInOutcome> {
	if (isOneTime && !(await takeTimeStep(context, owner.id, code))) return { ok: false, code: "wrong" };
	const { api } = await context.operatorAuth();
	const call = { body: { code }, headers, returnHeaders: true } as const;
	try {
		const answer = isOneTime ? await api.verifyTOTP(call) : await api.verifyBackupCode(call);
		const cookies = answer.headers.getSetCookie();
		if (!(await openSession(context, cookies, owner, { endOthers: isEnrolling }))) return { ok: false, code: "wrong" };
		return { ok: true, cookies: [...cookies, await createDeviceCookie(context, owner.id)], next: "desk" };
	} catch (error) {
		const { isAPIError } = await import("better-auth/api");
		if (!isAPIError(error)) throw error;
		const reason = error.body?.code;
		if (reason === "ACCOUNT_TEMPORARILY_LOCKED") return { ok: false, code: "limited", retryAfter: failurePeriod };
		return { ok: false, code: reason === "INVALID_CODE" || reason === "INVALID_BACKUP_CODE" ? "wrong" : "expired" };
	}
}

/** Whose code the next one is: of the person who gave the password. */
async function findCodeOwner({ db, operatorAuth }: SignInContext, headers: Headers): Promise<Operator | null> {
	if (!headers.has("cookie")) return null;
	const { userId } = await (await operatorAuth()).api.findCodeOwner({ headers });
	const owner = userId !== null && isUuid(userId) ? await findOperator(db, userId) : null;
	return owner && owner.leftAt === null ? owner : null;
}

/** Milliseconds of a time step (RFC 6238, 4.1). */
const stepTime = 30_000;

/**
 * Takes the time step of a code before better-auth accepts it, so that nobody uses a code again that somebody saw (RFC 6238, 5.2).
 * @returns false when this step or a later one was taken. A code of no current step takes nothing: better-auth refuses it.
 */
async function takeTimeStep({ db, operatorAuth }: SignInContext, operatorId: string, code: string): Promise<boolean> {
	const encrypted = await findTwoFactorSecret(db, operatorId);
	if (encrypted === null) return true;
	const { secretConfig } = await (await operatorAuth()).$context;
	const { symmetricDecrypt } = await import("better-auth/crypto");
	const step = findStep(await symmetricDecrypt({ key: secretConfig, data: encrypted }), code);
	return step === null || updateLastStep(db, operatorId, step);
}

/** The step of a code. better-auth accepts three: the current one by the machine's clock, and those beside it. */
function findStep(secret: string, code: string): number | null {
	const current = Math.floor(Date.now() / stepTime);
	return [current - 1, current, current + 1].find((step) => isEqual(computeCode(secret, step), code)) ?? null;
}

/** HOTP (RFC 4226, 5.3) with six digits. */
function computeCode(secret: string, step: number): string {
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(step));
	const mac = createHmac("sha1", secret).update(counter).digest();
	const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
	return String(number % 1_000_000).padStart(6, "0");
}

const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
