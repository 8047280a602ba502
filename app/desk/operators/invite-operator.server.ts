import { randomUUID } from "node:crypto";
import { hour, hourSeconds } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { expiringToken } from "../../../server/signing.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { type Invitation, insertInvitation } from "./invitations.store.server.ts";
import { listOperators } from "./operators.store.server.ts";
import type { Role } from "./roles.ts";

/**
 * Invites a person to the desk, or lets one who works here choose a new password and second factor. A new invitation replaces the last
 * one. A job sends it by e-mail.
 * @returns the link.
 */
export async function inviteOperator(
	{ db, now, jobs, signer, environment }: Context,
	{
		email,
		name,
		roles,
		invitedBy,
		invitedById = null,
	}: {
		email: string;
		name: string;
		roles: readonly Role[];
		/** The name for the e-mail. */
		invitedBy: string;
		/** The invitation ends with this operator's right to invite. Null at a terminal. */
		invitedById?: string | null;
	},
): Promise<string> {
	const invitation: Omit<Invitation, "used_at"> = {
		id: randomUUID(),
		email: normalizeEmail(email),
		name,
		roles: [...roles],
		invited_by: invitedBy,
		invited_by_id: invitedById,
		created_at: now(),
		expires_at: new Date(now().getTime() + invitationLifetime * hour),
	};
	await db.transaction().execute(async (trx) => {
		await insertInvitation(trx, invitation);
		await jobs.send(trx, "send-invitation", { invitationId: invitation.id });
	});
	return createInvitationUrl({ signer, environment }, invitation);
}

/** Whether a person who works here with another address has this name, however it is written: the trail shows names. */
export async function isNameTaken({ db }: Pick<Context, "db">, { email, name }: { email: string; name: string }): Promise<boolean> {
	const others = (await listOperators(db)).filter((operator) => operator.leftAt === null && operator.email !== normalizeEmail(email));
	return others.some((operator) => foldName(operator.name) === foldName(name));
}

/** Without case, accents and blanks, in the letters of one form (NFKD). */
const foldName = (name: string) =>
	name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, "");

/** The same invitation always gives the same link. */
export function createInvitationUrl(
	{ signer, environment }: Pick<Context, "signer" | "environment">,
	{ id, created_at }: Pick<Invitation, "id" | "created_at">,
): string {
	return absoluteUrl(environment.deskUrl, "/bureau/invitation/:token", { token: invitationToken.sign(signer, id, created_at) });
}

/** Hours. */
export const invitationLifetime = 48;

/** The secret of an invitation's link. */
export const invitationToken = expiringToken("operator-invitation", invitationLifetime * hourSeconds);
