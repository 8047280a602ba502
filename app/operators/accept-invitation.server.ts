import type { Trx } from "../../server/database/database.ts";
import { enqueueAccessNotice } from "./access-notice.server.ts";
import { invitationToken } from "./invitation-token.server.ts";
import { findOpenInvitation, type Invitation, markInvitationUsed } from "./invitations.store.server.ts";
import { countOtherManagers, deleteSignInMeans, findOperator, insertMember } from "./operators.store.server.ts";
import { maxPasswordLength, minPasswordLength } from "./password.ts";
import { recordSignIn } from "./record-sign-in.server.ts";
import type { Role } from "./roles.ts";
import { ownHeaders, prepareSecondFactor, type SecondFactor, type SignInContext, type SignInRequest } from "./sign-in.server.ts";

export type AcceptOutcome =
	| ({ ok: true; cookies: string[] } & SecondFactor)
	/** `closed`: the link is unknown, used, replaced or expired. */
	| { ok: false; code: "closed" | "short" | "long" };

/** Reads an invitation without using it, because mail scanners open links. @returns null when it is unknown, used or expired. */
export async function readInvitation({ db, now, signer }: SignInContext, token: string): Promise<Invitation | null> {
	const read = invitationToken.read(signer, token, now());
	return read.ok ? findOpenInvitation(db, read.id, now()) : null;
}

/**
 * Accepts an invitation, once: creates the account, or replaces password and second factor of the person who has it, and ends their
 * sessions. The new session can only set up the second factor.
 */
export async function acceptInvitation(
	context: SignInContext,
	{ token, password }: { token: string; password: string },
	{ client }: SignInRequest,
): Promise<AcceptOutcome> {
	if (password.length < minPasswordLength) return { ok: false, code: "short" };
	if (password.length > maxPasswordLength) return { ok: false, code: "long" };
	const { db, now } = context;
	const invitation = await readInvitation(context, token);
	const isFirst = invitation && (await db.transaction().execute((trx) => markInvitationUsed(trx, invitation.id, now())));
	if (!invitation || !isFirst) return { ok: false, code: "closed" };
	const userId = await savePassword(context, invitation, password);
	await db.transaction().execute(async (trx) => {
		const isReplaced = (await findOperator(trx, userId))?.leftAt === null;
		if (isReplaced) await enqueueAccessNotice(context, trx, { operatorId: userId, change: "access", client });
		await deleteSignInMeans(trx, userId);
		// the last manager stays one, whatever the invitation says (changeRoles)
		const kept: Role[] = (await countOtherManagers(trx, userId)) === 0 && (await isManager(trx, userId)) ? ["settings"] : [];
		await insertMember(trx, { userId, roles: [...new Set([...invitation.roles, ...kept])], now: now() });
	});
	await recordSignIn(context, { id: userId, name: invitation.name }, "accepter une invitation", { client });
	const signedIn = await (await context.operatorAuth()).api.signInEmail({
		body: { email: invitation.email, password },
		headers: ownHeaders(new Headers(), client),
		returnHeaders: true,
	});
	const cookies = signedIn.headers.getSetCookie();
	const session = new Headers({ cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") });
	const prepared = await prepareSecondFactor(context, password, session);
	if (prepared === null) throw new Error("the second factor of an invited operator was not prepared");
	return { ok: true, cookies, ...prepared };
}

const isManager = async (trx: Trx, userId: string) => (await findOperator(trx, userId))?.roles.includes("settings") ?? false;

/** Creates the account of an invitation, or replaces its password. @returns the account's id. */
async function savePassword({ operatorAuth }: SignInContext, { email, name }: Invitation, password: string): Promise<string> {
	const { internalAdapter, password: passwords } = await (await operatorAuth()).$context;
	const hash = await passwords.hash(password);
	const known = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
	const { id } = known?.user ?? (await internalAdapter.createUser({ email, name, emailVerified: true }, { method: "email-password" }));
	if (known?.accounts.some(({ providerId }) => providerId === "credential")) await internalAdapter.updatePassword(id, hash);
	else await internalAdapter.linkAccount({ userId: id, providerId: "credential", accountId: id, password: hash });
	return id;
}
