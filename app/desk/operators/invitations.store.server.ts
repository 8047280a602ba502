import { type Selectable, sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import type { OperatorsInvitation } from "../../../server/database/database-types.gen.ts";
import { invitingRole, type Role } from "./roles.ts";

/** All SQL on invitations. */

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"operators.invitation.roles": Role[];
	}
}

export type Invitation = Selectable<OperatorsInvitation>;

export async function insertInvitation(trx: Trx, invitation: Omit<Invitation, "used_at">): Promise<void> {
	// a new invitation replaces the old ones of the same person
	await trx
		.updateTable("operators.invitation")
		.set({ expires_at: invitation.created_at })
		.where("email", "=", invitation.email)
		.where("used_at", "is", null)
		.where("expires_at", ">", invitation.created_at)
		.execute();
	await trx
		.insertInto("operators.invitation")
		.values({ ...invitation, used_at: null })
		.execute();
}

/** Not used, not expired, and by somebody who may still invite: also when their role ended while the invitation was made. */
const isOpen = (now: Date) =>
	sql<boolean>`used_at is null and expires_at > ${now} and (invited_by_id is null or exists (
		select from operators.member where user_id = invited_by_id and left_at is null and ${invitingRole} = any(roles)))`;

/** An invitation that can still be accepted. */
export async function findOpenInvitation(db: Database | Trx, id: string, now: Date): Promise<Invitation | null> {
	const query = db.selectFrom("operators.invitation").selectAll().where("id", "=", id).where(isOpen(now));
	return (await query.executeTakeFirst()) ?? null;
}

export async function listOpenInvitations(db: Database, now: Date): Promise<Invitation[]> {
	const query = db.selectFrom("operators.invitation").selectAll().where(isOpen(now));
	return query.orderBy("created_at").execute();
}

/** @returns the invitation as it is now; null when another request was first, or when it ended meanwhile. */
export async function markInvitationUsed(trx: Trx, id: string, now: Date): Promise<Invitation | null> {
	const query = trx.updateTable("operators.invitation").set({ used_at: now }).where("id", "=", id).where(isOpen(now));
	return (await query.returningAll().executeTakeFirst()) ?? null;
}

/** Whether one of these people got their access since an instant by the invitation of another operator, not from a terminal. */
export async function wasInvitedSince(db: Database, userIds: readonly string[], since: Date): Promise<boolean> {
	const query = db
		.selectFrom("operators.invitation")
		.innerJoin("operators.user", "operators.user.email", "operators.invitation.email")
		.select("operators.invitation.id")
		.where("operators.user.id", "=", anyOf(userIds))
		.where("invited_by_id", "is not", null)
		.where("used_at", ">=", since);
	return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** @returns null when it was accepted, has expired or was cancelled before. */
export async function cancelInvitation(db: Database, id: string, now: Date): Promise<Pick<Invitation, "email"> | null> {
	const query = db.updateTable("operators.invitation").set({ expires_at: now }).where("id", "=", id);
	return (await query.where("used_at", "is", null).where("expires_at", ">", now).returning("email").executeTakeFirst()) ?? null;
}

const unusedInvitations = (trx: Trx, whose: { of: string } | { by: string }) =>
	trx
		.updateTable("operators.invitation")
		.where("used_at", "is", null)
		.where((eb) =>
			"by" in whose
				? eb("invited_by_id", "=", whose.by)
				: eb("email", "=", eb.selectFrom("operators.user").select("operators.user.email").where("id", "=", whose.of)),
		);

/** Ends the open invitations of a person who works here, or those by them. */
export async function endInvitations(trx: Trx, whose: { of: string } | { by: string }, now: Date): Promise<void> {
	await unusedInvitations(trx, whose).where("expires_at", ">", now).set({ expires_at: now }).execute();
}

/** The open invitations of a person who works here give these roles. */
export async function updateInvitedRoles(trx: Trx, userId: string, roles: readonly Role[]): Promise<void> {
	await unusedInvitations(trx, { of: userId })
		.set({ roles: [...roles] })
		.execute();
}
