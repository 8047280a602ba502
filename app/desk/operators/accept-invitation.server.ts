import type { Trx } from "../../../server/database/database.ts";
import { enqueueAccessNotice } from "./access-notice.server.ts";
import { endInvitations, findOpenInvitation, type Invitation, markInvitationUsed } from "./invitations.store.server.ts";
import { invitationToken } from "./invite-operator.server.ts";
import { recordSignIn, toCookieHeader } from "./open-session.server.ts";
import {
	countOtherManagers,
	deleteSignInMeans,
	findOperator,
	insertMember,
	insertPassword,
	lockMembers,
	upsertUser,
} from "./operators.store.server.ts";
import { maxPasswordLength, minPasswordLength } from "./password.ts";
import type { Busy } from "./password-queue.ts";
import type { Role } from "./roles.ts";
import {
	makeHeaders,
	prepareSecondFactor,
	type SecondFactor,
	type SignInContext,
	type SignInRequest,
	startSession,
} from "./sign-in.server.ts";

export type AcceptOutcome =
	| ({ ok: true; cookies: string[] } & SecondFactor)
	/** `closed`: the link is unknown, used, replaced or expired. */
	| { ok: false; code: "closed" | "short" | "long" }
	| Busy;

/** Reads an invitation without using it, because mail scanners open links. @returns null when it is unknown, used or expired. */
export async function readInvitation({ db, now, signer }: SignInContext, token: string): Promise<Invitation | null> {
	const read = invitationToken.read(signer, token, now());
	return read.ok ? findOpenInvitation(db, read.id, now()) : null;
}

/**
 * Accepts an invitation, once: creates the account, or replaces password and second factor of the person who has it, and ends their
 * sessions. The new session can only set up the second factor.
 * @param whenReplaced called in the transaction that replaces the access of a person who works here, or did.
 */
export async function acceptInvitation(
	context: SignInContext,
	{ token, password }: { token: string; password: string },
	request: SignInRequest,
	whenReplaced: (trx: Trx, operatorId: string, now: Date) => Promise<unknown>,
): Promise<AcceptOutcome> {
	if (password.length < minPasswordLength) return { ok: false, code: "short" };
	if (password.length > maxPasswordLength) return { ok: false, code: "long" };
	const invitation = await readInvitation(context, token);
	if (invitation === null) return { ok: false, code: "closed" };
	const { password: passwords } = await (await context.operatorAuth()).$context;
	const hash = await context.passwordQueue.runIfFree(() => passwords.hash(password));
	if (typeof hash !== "string") return hash;
	const operator = await context.db
		.transaction()
		.execute((trx) => giveAccess(context, trx, { invitation, hash, whenReplaced, ...request }));
	if (operator === null) return { ok: false, code: "closed" };
	await recordSignIn(context, operator, "accept-invitation", request);
	const cookies = await startSession(context, operator.id, request);
	const session = makeHeaders(request, toCookieHeader(cookies));
	const factor = await prepareSecondFactor(context, password, session);
	// somebody has closed the access meanwhile
	return factor === null ? { ok: false, code: "closed" } : { ok: true, cookies, ...factor };
}

/** @returns null when the invitation has ended. */
async function giveAccess(
	context: SignInContext,
	trx: Trx,
	{
		invitation,
		hash,
		whenReplaced,
		client,
	}: {
		invitation: Invitation;
		hash: string;
		whenReplaced: (trx: Trx, operatorId: string, now: Date) => Promise<unknown>;
		client: string;
	},
): Promise<{ id: string; name: string } | null> {
	// who closes an access has the same lock: either the invitation has ended before, or the access ends afterwards
	await lockMembers(trx);
	const now = context.now();
	const used = await markInvitationUsed(trx, invitation.id, now);
	if (used === null) return null;
	const user = await upsertUser(trx, { email: used.email, name: used.name, now });
	const known = await findOperator(trx, user.id);
	if (known?.leftAt === null) await enqueueAccessNotice(context, trx, { operatorId: user.id, change: "access", client });
	if (known !== null) await whenReplaced(trx, user.id, now);
	await deleteSignInMeans(trx, user.id);
	await insertPassword(trx, user.id, hash, now);
	// two people may have invited this one at the same time
	await endInvitations(trx, { of: user.id }, now);
	// the last manager stays one, whatever the invitation says (changeRoles)
	const isLast = known?.roles.includes("settings") && (await countOtherManagers(trx, user.id)) === 0;
	const kept: Role[] = isLast ? ["settings"] : [];
	await insertMember(trx, { userId: user.id, roles: [...new Set([...used.roles, ...kept])], now });
	return user;
}
