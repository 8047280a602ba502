import { separateCookies } from "../../../server/cookies.ts";
import type { Context } from "../../../server/runtime.ts";
import type { OperatorAuth } from "./auth.server.ts";
import { clientHeader } from "./client-header.ts";
import { findKnownDevice } from "./known-devices.server.ts";
import { countFailures, countPasswordFailures, passwordPoints } from "./limit-failures.server.ts";
import { recordSignIn } from "./open-session.server.ts";
import {
	deleteCodeChallenges,
	findOperatorByEmail,
	findOperatorOfSession,
	lockDeviceVersion,
	type Operator,
} from "./operators.store.server.ts";
import type { PasswordQueue } from "./password-queue.ts";

/** What signing in needs of the shop. */
export type SignInContext = Pick<Context, "db" | "now" | "environment" | "log" | "signer" | "jobs"> & {
	operatorAuth: () => Promise<OperatorAuth>;
	passwordQueue: PasswordQueue;
};

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
	| { ok: false; code: "limited" | "busy"; retryAfter: number };

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
	/** When the person gave both factors; null after the password alone, which opens only the page that sets up the second one. */
	provedAt: Date | null;
	/** When the session ends at the latest. */
	until: Date;
}

/**
 * @returns who sent a request; null without a valid session, for a person who has left, and for a session in which the second factor was
 * not given although there is one by now.
 */
export async function findSignedIn({ db, operatorAuth }: SignInContext, headers: Headers): Promise<SignedIn | null> {
	const found = await findSession({ operatorAuth }, headers);
	if (found === null) return null;
	const { id, expiresAt } = found.session;
	const operator = await findOperatorOfSession(db, id);
	if (operator === null || operator.leftAt !== null) return null;
	const { provedAt } = operator;
	if (provedAt === null && operator.hasSecondFactor) return null;
	return { operator, sessionId: id, provedAt, until: expiresAt };
}

/** Finds the session of a request, and the cookie that names it: one of several may be of another host (server/cookies.ts). */
async function findSession({ operatorAuth }: Pick<SignInContext, "operatorAuth">, headers: Headers) {
	// most requests to the sign-in page have no cookie, and need no query
	if (!headers.get("cookie")?.includes("bureau.session_token")) return null;
	const { $context, api } = await operatorAuth();
	for (const cookie of separateCookies(headers.get("cookie"), (await $context).authCookies.sessionToken.name)) {
		const found = await api.getSession({ headers: new Headers({ cookie }) });
		if (found !== null) return { cookie, session: found.session };
	}
	return null;
}

/**
 * First step: e-mail and password. An unknown address, a wrong password and a person who has left get the same answer.
 * Five failures of an account from one network in a quarter of an hour make the next ones wait; a known device has its own count.
 */
export async function signInWithPassword(
	context: SignInContext,
	{ email, password }: { email: string; password: string },
	{ headers, client }: SignInRequest,
): Promise<SignInOutcome> {
	const { db, passwordQueue } = context;
	const address = email.trim().toLowerCase();
	// before the password is compared: who ends the sessions meanwhile ends this sign-in too
	const operator = await findOperatorByEmail(db, address);
	const device = operator && (await findKnownDevice(context, operator.id, headers));
	return countFailures(context, passwordPoints(device, address, client), async () => {
		const { api } = await context.operatorAuth();
		const call = { body: { email: address, password }, headers: makeHeaders({ headers, client }), returnHeaders: true } as const;
		const compare = () => api.signInEmail(call).catch(returnRefusal);
		const answer = device === null ? await passwordQueue.runIfFree(compare) : await passwordQueue.runFirst(compare);
		if (answer !== null && "retryAfter" in answer) return answer;
		if (answer === null || operator === null || operator.leftAt !== null) return { ok: false, code: "wrong" };
		const cookies = answer.headers.getSetCookie();
		const token = "token" in answer.response ? answer.response.token : null;
		if (!(await isUnchanged(context, operator, token))) return { ok: false, code: "wrong" };
		if ("twoFactorRedirect" in answer.response) return { ok: true, cookies, next: "code" };
		await recordSignIn(context, operator, "sign-in-without-factor", { client });
		return { ok: true, cookies, next: "enrol" };
	});
}

/** Whether a password still counts that was compared; else what better-auth made of it is deleted. */
async function isUnchanged({ db, operatorAuth }: SignInContext, { id, deviceVersion }: Operator, token: string | null): Promise<boolean> {
	const unchanged = await db.transaction().execute(async (trx) => (await lockDeviceVersion(trx, id)) === deviceVersion);
	if (!unchanged && token === null) await deleteCodeChallenges(db, id);
	if (!unchanged && token !== null) await (await (await operatorAuth()).$context).internalAdapter.deleteSession(token);
	return unchanged;
}

/** Makes a session in which no factor was given yet: `openSession` opens it. @returns Set-Cookie headers. */
export async function startSession(context: SignInContext, userId: string, request: SignInRequest): Promise<string[]> {
	const call = { body: { userId }, headers: makeHeaders(request), returnHeaders: true } as const;
	return (await (await context.operatorAuth()).api.startSession(call)).headers.getSetCookie();
}

/** @returns Set-Cookie headers that remove the session's cookie. */
export async function signOut(context: SignInContext, { headers, client }: SignInRequest): Promise<string[]> {
	const signedIn = await findSignedIn(context, headers);
	if (signedIn) await recordSignIn(context, signedIn.operator, "sign-out", { client });
	const session = await pickCookies(context, { headers, client }, "session");
	return (await (await context.operatorAuth()).api.signOut({ headers: session, returnHeaders: true })).headers.getSetCookie();
}

/**
 * Prepares one-time codes for a person who is signed in by password alone.
 * @param headers with the session's cookie. @returns null when the password is wrong, or the codes are already in use.
 */
export async function prepareSecondFactor(context: SignInContext, password: string, headers: Headers): Promise<SecondFactor | null> {
	const { api } = await context.operatorAuth();
	const enable = () => api.enableTwoFactor({ body: { password, method: "totp" }, headers }).catch(returnRefusal);
	const answer = await context.passwordQueue.runFirst(enable);
	if (answer === null || !("totpURI" in answer)) return null;
	const shown = { uri: answer.totpURI, recoveryCodes: answer.backupCodes };
	return { ...shown, kept: context.signer.sign(keptPurpose, JSON.stringify(shown)) };
}

/** The same with a password that was typed again, whose failures count. */
export async function prepareWithPassword(context: SignInContext, { operator }: SignedIn, password: string, request: SignInRequest) {
	const session = await pickCookies(context, request, "session");
	return countPasswordFailures(context, operator.id, async () => {
		const factor = await prepareSecondFactor(context, password, session);
		return factor === null ? ({ ok: false, code: "wrong" } as const) : ({ ok: true, factor } as const);
	});
}

const keptPurpose = "operator-second-factor";

/** Reads what the form of the first code kept; null when it was changed. */
export function readKeptFactor({ signer }: SignInContext, kept: string): SecondFactor | null {
	const shown = signer.verify(keptPurpose, kept);
	return shown === null ? null : { ...JSON.parse(shown), kept };
}

/** Headers for better-auth: the browser's name, the client's network in a header that a client cannot set, and no cookie but `cookie`. */
export function makeHeaders({ headers, client }: SignInRequest, cookie = ""): Headers {
	const own = new Headers({ [clientHeader]: client });
	const userAgent = headers.get("user-agent")?.slice(0, 2000);
	if (userAgent) own.set("user-agent", userAgent);
	if (cookie !== "") own.set("cookie", cookie);
	return own;
}

/** Headers for better-auth with one cookie of a request: of its session, or of the person who gave the password and now gives a code. */
export async function pickCookies(context: SignInContext, request: SignInRequest, which: "session" | "code"): Promise<Headers> {
	if (which === "session") return makeHeaders(request, (await findSession(context, request.headers))?.cookie);
	const { createAuthCookie } = await (await context.operatorAuth()).$context;
	return makeHeaders(request, separateCookies(request.headers.get("cookie"), createAuthCookie("two_factor").name).join("; "));
}

/** For `catch`: null for a refusal of better-auth. Any other error is a fault of ours. */
export async function returnRefusal(error: unknown): Promise<null> {
	const { isAPIError } = await import("better-auth/api");
	if (isAPIError(error)) return null;
	throw error;
}
