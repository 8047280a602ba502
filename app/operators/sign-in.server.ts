import { isAPIError } from "better-auth/api";
import { giveBack, type Point, takeTogether } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { clientHeader, type OperatorAuth } from "./auth.server.ts";
import { findOperator, findOperatorByEmail, type Operator } from "./operators.store.server.ts";

/** What signing in needs of the shop. */
export type SignInContext = Pick<Context, "db" | "now" | "environment" | "log" | "signer"> & { operatorAuth: () => Promise<OperatorAuth> };

/** A browser that signs in. */
export interface SignInRequest {
	/** The request's headers, with its cookies. */
	headers: Headers;
	/** The client's network, as limits count it. */
	client: string;
}

/** `cookies`: Set-Cookie headers for the response. */
export type SignInOutcome =
	| { ok: true; cookies: string[]; next: "desk" | "code" | "enrol" }
	| { ok: false; code: "wrong" | "expired" }
	| { ok: false; code: "limited"; retryAfter: number };

/** What sets up an authenticator: its address (otpauth://), and the recovery codes, which are shown once. */
export interface SecondFactor {
	uri: string;
	recoveryCodes: string[];
	/** The two above, signed, for the form of the first code: a wrong code shows them again. */
	kept: string;
}

export interface SignedIn {
	operator: Operator;
	sessionId: string;
	/** When the person proved their identity. */
	since: Date;
}

/** Seconds in which failures count. */
const failurePeriod = 900;

/** Failures in the period: of one account from one network, of one network, of one account from anywhere. */
const failurePoints = (email: string, client: string): Point[] => [
	{ name: "desk-account", subject: `${email} ${client}`, most: 5 },
	{ name: "desk-email", subject: email, most: 30 },
	{ name: "desk-network", subject: client, most: 20 },
];

/** @returns who sent a request, with or without a second factor; null without a valid session, or for a person who has left. */
export async function findSignedIn({ db, operatorAuth }: SignInContext, headers: Headers): Promise<SignedIn | null> {
	// most requests to the sign-in page have no cookie, and need no query
	if (!headers.get("cookie")?.includes("bureau.session_token")) return null;
	const found = await (await operatorAuth()).api.getSession({ headers });
	if (found === null) return null;
	const operator = await findOperator(db, found.user.id);
	return operator && operator.leftAt === null ? { operator, sessionId: found.session.id, since: found.session.createdAt } : null;
}

/**
 * First step: e-mail and password. An unknown address, a wrong password and a person who has left get the same answer.
 * Five failures of an account from one network in a quarter of an hour make the next ones wait.
 */
export async function signInWithPassword(
	context: SignInContext,
	{ email, password }: { email: string; password: string },
	{ headers, client }: SignInRequest,
): Promise<SignInOutcome> {
	const address = email.trim().toLowerCase();
	return countFailures(context, failurePoints(address, client), async () => {
		const answer = await (await context.operatorAuth()).api
			.signInEmail({ body: { email: address, password }, headers: ownHeaders(headers, client), returnHeaders: true })
			.catch(returnRefusal);
		if (answer === null) return { ok: false, code: "wrong" };
		const operator = await findOperatorByEmail(context.db, address);
		if (operator === null || operator.leftAt !== null) return { ok: false, code: "wrong" };
		const cookies = answer.headers.getSetCookie();
		return { ok: true, cookies, next: "twoFactorRedirect" in answer.response ? "code" : "enrol" };
	});
}

/** Second step: six digits of the authenticator, or a recovery code, which works once. */
export async function signInWithCode(context: SignInContext, typed: string, { headers, client }: SignInRequest): Promise<SignInOutcome> {
	const code = typed.replace(/[\s\u00a0\u202f]/g, "");
	const owner = await findCodeOwner(context, headers);
	// better-auth counts failures after it has compared: a burst from many networks would try more codes than five
	const points: Point[] = [
		...(owner === null ? [] : [{ name: "desk-code-account", subject: owner, most: 10 }]),
		{ name: "desk-code", subject: client, most: 10 },
	];
	return countFailures(context, points, async () => {
		const { api } = await context.operatorAuth();
		const call = { headers: ownHeaders(headers, client), returnHeaders: true } as const;
		try {
			const answer = /^\d{6}$/.test(code)
				? await api.verifyTOTP({ body: { code }, ...call })
				: await api.verifyBackupCode({ body: { code }, ...call });
			return { ok: true, cookies: answer.headers.getSetCookie(), next: "desk" };
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

/** Starts a session for an operator who proved their identity otherwise: by a passkey, or with the demo's button. */
export async function startSession(context: SignInContext, userId: string, { headers, client }: SignInRequest): Promise<string[]> {
	const call = { body: { userId }, headers: ownHeaders(headers, client), returnHeaders: true } as const;
	return (await (await context.operatorAuth()).api.startSession(call)).headers.getSetCookie();
}

/** @returns Set-Cookie headers that remove the session's cookie. */
export async function signOut({ operatorAuth }: SignInContext, headers: Headers): Promise<string[]> {
	return (await (await operatorAuth()).api.signOut({ headers, returnHeaders: true })).headers.getSetCookie();
}

/**
 * Prepares one-time codes for a person who is signed in by password alone.
 * @returns null when the password is wrong, or the codes are already in use.
 */
export async function prepareSecondFactor(
	{ operatorAuth, signer }: SignInContext,
	password: string,
	headers: Headers,
): Promise<SecondFactor | null> {
	const answer = await (await operatorAuth()).api.enableTwoFactor({ body: { password, method: "totp" }, headers }).catch(returnRefusal);
	if (answer === null || !("totpURI" in answer)) return null;
	const shown = { uri: answer.totpURI, recoveryCodes: answer.backupCodes };
	return { ...shown, kept: signer.sign(keptPurpose, JSON.stringify(shown)) };
}

const keptPurpose = "operator-second-factor";

/** Reads what the form of the first code kept; null when it was changed. */
export function readKeptFactor({ signer }: SignInContext, kept: string): SecondFactor | null {
	const shown = signer.verify(keptPurpose, kept);
	return shown === null ? null : { ...JSON.parse(shown), kept };
}

/** Takes the points of a failure first, so that a burst never exceeds the limit, and gives them back after a success. */
async function countFailures<Outcome extends { ok: boolean }>(
	{ db, now }: Pick<SignInContext, "db" | "now">,
	points: Point[],
	attempt: () => Promise<Outcome>,
): Promise<Outcome | { ok: false; code: "limited"; retryAfter: number }> {
	const taken = await db.transaction().execute((trx) => takeTogether(trx, points, { seconds: failurePeriod, now: now() }));
	if (!taken.ok) return { ok: false, code: "limited", retryAfter: taken.retryAfter };
	const outcome = await attempt();
	if (outcome.ok) await db.transaction().execute((trx) => giveBack(trx, points));
	return outcome;
}

/** Counts how often a password is asked of somebody who is signed in: a stolen session must not find it by trying. */
export const countPasswordFailures = <Outcome extends { ok: boolean }>(
	context: Pick<SignInContext, "db" | "now">,
	operatorId: string,
	attempt: () => Promise<Outcome>,
) => countFailures(context, [{ name: "desk-password", subject: operatorId, most: 5 }], attempt);

/** The headers that better-auth reads: the cookies, the browser's name, and the client's network in a header that a client cannot set. */
export function ownHeaders(headers: Headers, client: string): Headers {
	const own = new Headers();
	for (const name of ["cookie", "user-agent"]) if (headers.has(name)) own.set(name, headers.get(name)?.slice(0, 2000) ?? "");
	own.set(clientHeader, client);
	return own;
}

/** For `catch`: null for a refusal of better-auth. Any other error is a fault of ours. */
export function returnRefusal(error: unknown): null {
	if (isAPIError(error)) return null;
	throw error;
}
