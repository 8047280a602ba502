import { isAPIError } from "better-auth/api";
import type { Context } from "../../server/runtime.ts";
import { clientHeader, type OperatorAuth } from "./auth.server.ts";
import { findKnownDevice, isDeviceCookie } from "./known-devices.server.ts";
import { countFailures, passwordPoints } from "./limit-failures.server.ts";
import { findOperator, findOperatorByEmail, type Operator } from "./operators.store.server.ts";
import { recordSignIn } from "./record-sign-in.server.ts";

/** What signing in needs of the shop. */
export type SignInContext = Pick<Context, "db" | "now" | "environment" | "log" | "signer" | "jobs"> & {
	operatorAuth: () => Promise<OperatorAuth>;
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
	/** When the session ends at the latest. */
	until: Date;
}

/** @returns who sent a request, with or without a second factor; null without a valid session, or for a person who has left. */
export async function findSignedIn({ db, operatorAuth }: SignInContext, headers: Headers): Promise<SignedIn | null> {
	// most requests to the sign-in page have no cookie, and need no query
	if (!headers.get("cookie")?.includes("bureau.session_token")) return null;
	const found = await (await operatorAuth()).api.getSession({ headers });
	if (found === null) return null;
	const operator = await findOperator(db, found.user.id);
	if (operator === null || operator.leftAt !== null) return null;
	const { id, createdAt, expiresAt } = found.session;
	return { operator, sessionId: id, since: createdAt, until: expiresAt };
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
	const address = email.trim().toLowerCase();
	const device = await findDeviceByEmail(context, address, headers);
	return countFailures(context, passwordPoints(device, address, client), async () => {
		const answer = await (await context.operatorAuth()).api
			.signInEmail({ body: { email: address, password }, headers: ownHeaders(headers, client), returnHeaders: true })
			.catch(returnRefusal);
		if (answer === null) return { ok: false, code: "wrong" };
		const operator = await findOperatorByEmail(context.db, address);
		if (operator === null || operator.leftAt !== null) return { ok: false, code: "wrong" };
		const cookies = answer.headers.getSetCookie();
		if ("twoFactorRedirect" in answer.response) return { ok: true, cookies, next: "code" };
		await recordSignIn(context, operator, "se connecter par mot de passe, second facteur à préparer", { client });
		return { ok: true, cookies, next: "enrol" };
	});
}

/** Most requests of strangers have no such cookie, and need no query. */
async function findDeviceByEmail(context: SignInContext, email: string, headers: Headers): Promise<string | null> {
	if (!listCookies(headers).some(({ name }) => isDeviceCookie(name))) return null;
	const operator = await findOperatorByEmail(context.db, email);
	return operator && findKnownDevice(context, operator.id, headers);
}

/** Starts a session for an operator who proved their identity otherwise: by a passkey, or with the demo's button. */
export async function startSession(context: SignInContext, userId: string, { headers, client }: SignInRequest): Promise<string[]> {
	const call = { body: { userId }, headers: ownHeaders(headers, client), returnHeaders: true } as const;
	return (await (await context.operatorAuth()).api.startSession(call)).headers.getSetCookie();
}

/** @returns Set-Cookie headers that remove the session's cookie. */
export async function signOut(context: SignInContext, { headers, client }: SignInRequest): Promise<string[]> {
	const signedIn = await findSignedIn(context, headers);
	if (signedIn) await recordSignIn(context, signedIn.operator, "se déconnecter", { client });
	return (await (await context.operatorAuth()).api.signOut({ headers, returnHeaders: true })).headers.getSetCookie();
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

/** The headers that better-auth reads: its cookies, the browser's name, and the client's network in a header that a client cannot set. */
export function ownHeaders(headers: Headers, client: string): Headers {
	const own = new Headers();
	const cookies = listCookies(headers).filter(({ name }) => !isDeviceCookie(name));
	const texts = { cookie: cookies.map(({ text }) => text).join("; "), "user-agent": headers.get("user-agent") ?? "" };
	for (const [name, text] of Object.entries(texts)) if (text !== "") own.set(name, text.slice(0, 2000));
	own.set(clientHeader, client);
	return own;
}

const listCookies = (headers: Headers) =>
	(headers.get("cookie") ?? "").split(/;\s*/).map((text) => ({ text, name: text.split("=")[0] ?? "" }));

/** For `catch`: null for a refusal of better-auth. Any other error is a fault of ours. */
export function returnRefusal(error: unknown): null {
	if (isAPIError(error)) return null;
	throw error;
}
