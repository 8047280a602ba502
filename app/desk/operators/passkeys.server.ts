import { randomUUID } from "node:crypto";
import type {
	AuthenticationResponseJSON,
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON,
	RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { enqueueAccessNotice } from "./access-notice.server.ts";
import { createDeviceCookie } from "./known-devices.server.ts";
import { openSession, recordSignIn } from "./open-session.server.ts";
import { findOperator, type Operator } from "./operators.store.server.ts";
import { findPasskey, insertChallenge, insertPasskey, listPasskeys, takeChallenge, updatePasskeyUse } from "./passkeys.store.server.ts";
import { type SignInContext, type SignInRequest, startSession } from "./sign-in.server.ts";

export { deletePasskey, listPasskeys } from "./passkeys.store.server.ts";

/** Loaded at the first use of a passkey, as better-auth is: most processes never need them. */
const loadWebAuthn = () => import("@simplewebauthn/server");

/** Milliseconds to answer a challenge. */
const challengeTime = 300_000;

/** A challenge for the browser; `ticket` comes back with its answer. */
export interface Challenge<Options> {
	ticket: string;
	options: Options;
}

const getRelyingParty = ({ environment }: Pick<SignInContext, "environment">) => {
	const { hostname, origin } = new URL(environment.deskUrl);
	return { id: hostname, origin, name: `${environment.shop.name}, bureau` };
};

async function keepChallenge({ db, now }: SignInContext, challenge: string): Promise<string> {
	const ticket = randomUUID();
	await insertChallenge(db, { ticket, challenge, until: new Date(now().getTime() + challengeTime) });
	return ticket;
}

/** Begins to add a passkey (W3C Web Authentication) that asks for the person's finger, face or code. */
export async function startPasskey(context: SignInContext, operator: Operator): Promise<Challenge<PublicKeyCredentialCreationOptionsJSON>> {
	const relyingParty = getRelyingParty(context);
	const known = await listPasskeys(context.db, operator.id);
	const { generateRegistrationOptions } = await loadWebAuthn();
	const options = await generateRegistrationOptions({
		rpName: relyingParty.name,
		rpID: relyingParty.id,
		userName: operator.email,
		userDisplayName: operator.name,
		userID: new TextEncoder().encode(operator.id),
		attestationType: "none",
		excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
		authenticatorSelection: { residentKey: "required", userVerification: "required" },
	});
	return { ticket: await keepChallenge(context, options.challenge), options };
}

/** Adds the passkey that the browser made, and tells the operator by e-mail. @returns false when the answer is wrong, late or used. */
export async function addPasskey(
	context: SignInContext,
	operator: Operator,
	{ ticket, response, name, client }: { ticket: string; response: RegistrationResponseJSON; name: string; client: string },
): Promise<boolean> {
	const challenge = await takeChallenge(context.db, ticket, context.now());
	if (challenge === null) return false;
	const { id, origin } = getRelyingParty(context);
	const expected = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true };
	const { verifyRegistrationResponse } = await loadWebAuthn();
	const verified = await verifyRegistrationResponse({ response, ...expected }).catch(() => null); // a forged or malformed answer
	if (!verified?.verified) return false;
	const { credential } = verified.registrationInfo;
	const passkey = {
		credential_id: credential.id,
		user_id: operator.id,
		public_key: Buffer.from(credential.publicKey),
		counter: String(credential.counter),
		transports: credential.transports ?? [],
		name,
		created_at: context.now(),
	};
	return context.db.transaction().execute(async (trx) => {
		const added = await insertPasskey(trx, passkey);
		if (added) await enqueueAccessNotice(context, trx, { operatorId: operator.id, change: "passkey", client });
		return added;
	});
}

/** Begins to sign in with any passkey of the desk. */
export async function startPasskeySignIn(context: SignInContext): Promise<Challenge<PublicKeyCredentialRequestOptionsJSON>> {
	const { generateAuthenticationOptions } = await loadWebAuthn();
	const options = await generateAuthenticationOptions({ rpID: getRelyingParty(context).id, userVerification: "required" });
	return { ticket: await keepChallenge(context, options.challenge), options };
}

/** Signs in with a passkey, which is both factors: the device and the person's finger, face or code. @returns null when it is refused. */
export async function signInWithPasskey(
	context: SignInContext,
	{ ticket, response }: { ticket: string; response: AuthenticationResponseJSON },
	request: SignInRequest,
): Promise<string[] | null> {
	const { db, now } = context;
	const challenge = await takeChallenge(db, ticket, now());
	const credentialId = String(response.id);
	const passkey = challenge === null || !/^[\w-]+$/.test(credentialId) ? null : await findPasskey(db, credentialId);
	const operator = passkey && (await findOperator(db, passkey.user_id));
	if (challenge === null || !passkey || !operator || operator.leftAt !== null || !operator.hasSecondFactor) return null;
	const { id, origin } = getRelyingParty(context);
	const expected = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true };
	const credential = { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: Number(passkey.counter) };
	const { verifyAuthenticationResponse } = await loadWebAuthn();
	const verified = await verifyAuthenticationResponse({ response, ...expected, credential }).catch(() => null); // a forged or malformed answer
	if (!verified?.verified) return null;
	// it may have been deleted since it was read
	if (!(await updatePasskeyUse(db, passkey.credential_id, verified.authenticationInfo.newCounter, now()))) return null;
	const cookies = await startSession(context, operator.id, request);
	const ok = await openSession(context, cookies, operator);
	await recordSignIn(context, operator, "sign-in-with-passkey", { client: request.client, ok });
	return ok ? [...cookies, await createDeviceCookie(context, operator.id)] : null;
}
