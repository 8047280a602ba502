import { sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import { endInvitations, updateInvitedRoles, wasInvitedSince } from "./invitations.store.server.ts";
import { invitingRole, type Role } from "./roles.ts";

/** All SQL on the schema `operators`, beside better-auth's own. */

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"operators.member.roles": Role[];
	}
}

export interface Operator {
	id: string;
	name: string;
	email: string;
	roles: Role[];
	joinedAt: Date;
	/** Null while the person works here. */
	leftAt: Date | null;
	hasSecondFactor: boolean;
	/** Of their known devices and sign-ins in progress (below). */
	deviceVersion: number;
}

const selectOperators = (db: Database | Trx) =>
	db
		.selectFrom("operators.member")
		.innerJoin("operators.user", "operators.user.id", "operators.member.user_id")
		.select(["operators.member.user_id as id", "name", "email", "roles", "joined_at as joinedAt", "left_at as leftAt"])
		.select("device_version as deviceVersion")
		.select(sql<boolean>`coalesce(two_factor_enabled, false)`.as("hasSecondFactor"));

export async function findOperator(db: Database | Trx, id: string): Promise<Operator | null> {
	return (await selectOperators(db).where("operators.member.user_id", "=", id).executeTakeFirst()) ?? null;
}

/** @returns the operator of a session, and when both factors were given in it: null after the password alone. */
export async function findOperatorOfSession(db: Database, sessionId: string): Promise<(Operator & { provedAt: Date | null }) | null> {
	const query = selectOperators(db).innerJoin("operators.session", "operators.session.user_id", "operators.member.user_id");
	return (await query.select("proved_at as provedAt").where("operators.session.id", "=", sessionId).executeTakeFirst()) ?? null;
}

/** Those who work here first, then by name. */
export async function listOperators(db: Database): Promise<Operator[]> {
	return selectOperators(db).orderBy(sql`left_at is not null`).orderBy("name").orderBy("email").execute();
}

export async function findOperatorByEmail(db: Database | Trx, email: string): Promise<Operator | null> {
	return (await selectOperators(db).where("email", "=", email).executeTakeFirst()) ?? null;
}

/** Records that a person works here, also one who had left. */
export async function insertMember(trx: Trx, member: { userId: string; roles: readonly Role[]; now: Date }): Promise<void> {
	await trx
		.insertInto("operators.member")
		.values({ user_id: member.userId, roles: [...member.roles], joined_at: member.now })
		.onConflict((conflict) => conflict.column("user_id").doUpdateSet({ roles: [...member.roles], left_at: null }))
		.execute();
}

/**
 * An open invitation of the person gives the new roles too; those by a person who may no longer invite end. A role that the person did not
 * have is a new access (hasNewAccess).
 * @returns the roles before; null when nobody of this id works here.
 */
export async function updateRoles(trx: Trx, userId: string, { roles, now }: { roles: readonly Role[]; now: Date }): Promise<Role[] | null> {
	const before = await trx
		.selectFrom("operators.member")
		.select("roles")
		.where("user_id", "=", userId)
		.where("left_at", "is", null)
		.forUpdate()
		.executeTakeFirst();
	if (before === undefined) return null;
	const isGranted = roles.some((role) => !before.roles.includes(role));
	await trx
		.updateTable("operators.member")
		.set({ roles: [...roles], ...(isGranted && { granted_at: now }) })
		.where("user_id", "=", userId)
		.execute();
	await updateInvitedRoles(trx, userId, roles);
	if (!roles.includes(invitingRole)) await endInvitations(trx, { by: userId }, now);
	return before.roles;
}

/**
 * Whether one of these people got their access, or a role, from another operator since an instant. What comes from a terminal is not new:
 * who has the machine needs no second person.
 */
export async function hasNewAccess(db: Database, userIds: readonly string[], since: Date): Promise<boolean> {
	const granted = db
		.selectFrom("operators.member")
		.select("user_id")
		.where("user_id", "=", anyOf(userIds))
		.where("granted_at", ">=", since);
	return (await granted.limit(1).executeTakeFirst()) !== undefined || (await wasInvitedSince(db, userIds, since));
}

/** Of two requests that give or end accesses at once, the second waits for the first. */
export async function lockMembers(trx: Trx): Promise<{ user_id: string; roles: string[] }[]> {
	return trx
		.selectFrom("operators.member")
		.select(["user_id", "roles"])
		.where("left_at", "is", null)
		.orderBy("user_id")
		.forUpdate()
		.execute();
}

/** Locks the members, so that of two managers who dismiss each other at once, one stays. @returns how many others may change settings. */
export async function countOtherManagers(trx: Trx, userId: string): Promise<number> {
	const rows = await lockMembers(trx);
	return rows.filter((row) => row.user_id !== userId && row.roles.includes("settings")).length;
}

/** Ends a person's work: no role, no session, no password, no second factor, no open invitation to or by them; the name stays for the trail. */
export async function endMember(trx: Trx, userId: string, now: Date): Promise<boolean> {
	const query = trx.updateTable("operators.member").set({ left_at: now, roles: [] }).where("user_id", "=", userId);
	const ended = await query.where("left_at", "is", null).returning("user_id").executeTakeFirst();
	if (ended === undefined) return false;
	await endInvitations(trx, { of: userId }, now);
	await endInvitations(trx, { by: userId }, now);
	await deleteSignInMeans(trx, userId);
	await trx.deleteFrom("operators.account").where("user_id", "=", userId).execute();
	return true;
}

/** Creates the account of an address. One that exists stays, and gets the name, which is the one that was checked against colleagues. */
export async function upsertUser(
	trx: Trx,
	{ email, name, now }: { email: string; name: string; now: Date },
): Promise<{ id: string; name: string }> {
	return trx
		.insertInto("operators.user")
		.values({ email, name, email_verified: true, created_at: now, updated_at: now })
		.onConflict((conflict) => conflict.column("email").doUpdateSet({ name, updated_at: now }))
		.returning(["id", "name"])
		.executeTakeFirstOrThrow();
}

/** @param password hashed. */
export async function insertPassword(trx: Trx, userId: string, password: string, now: Date): Promise<void> {
	await trx.deleteFrom("operators.account").where("user_id", "=", userId).where("provider_id", "=", "credential").execute();
	await trx
		.insertInto("operators.account")
		.values({ user_id: userId, provider_id: "credential", account_id: userId, password, created_at: now, updated_at: now })
		.execute();
}

/** @param change hashes. @returns false when another password came meanwhile, or none is left. */
export async function updatePassword(trx: Trx, userId: string, { from, to }: { from: string; to: string }): Promise<boolean> {
	const query = trx.updateTable("operators.account").set({ password: to }).where("user_id", "=", userId).where("password", "=", from);
	return (await query.where("provider_id", "=", "credential").returning("id").executeTakeFirst()) !== undefined;
}

/** Deletes sessions, one-time codes and passkeys, and ends the known devices. */
export async function deleteSignInMeans(trx: Trx, userId: string): Promise<void> {
	await endAllSessions(trx, userId);
	await trx.deleteFrom("operators.two_factor").where("user_id", "=", userId).execute();
	await trx.deleteFrom("operators.passkey").where("user_id", "=", userId).execute();
	await updateSecondFactor(trx, userId, false);
}

/** Records whether a person has set up a second factor; better-auth does so itself for one-time codes. */
export async function updateSecondFactor(trx: Trx, userId: string, isSetUp: boolean): Promise<void> {
	await trx.updateTable("operators.user").set({ two_factor_enabled: isSetUp }).where("id", "=", userId).execute();
}

export interface OpenSession {
	id: string;
	createdAt: Date;
	expiresAt: Date;
	origin: string | null;
	userAgent: string | null;
}

/** The open sessions of a person, newest first. better-auth reads the machine's own clock, so this does too. */
export async function listSessions(db: Database, userId: string): Promise<OpenSession[]> {
	return db
		.selectFrom("operators.session")
		.select(["id", "created_at as createdAt", "expires_at as expiresAt", "ip_address as origin", "user_agent as userAgent"])
		.where("user_id", "=", userId)
		.where("expires_at", ">", sql<Date>`now()`)
		.orderBy("created_at", "desc")
		.execute();
}

export async function isSessionOpen(db: Database, id: string): Promise<boolean> {
	const query = db.selectFrom("operators.session").select("id").where("id", "=", id).where("expires_at", ">", sql<Date>`now()`);
	return (await query.executeTakeFirst()) !== undefined;
}

/** Ends sessions of a person. @returns how many ended. */
export async function endSessions(db: Database | Trx, userId: string, ids: readonly string[]): Promise<number> {
	const query = db.deleteFrom("operators.session").where("user_id", "=", userId).where("id", "=", anyOf(ids));
	return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Ends all sessions of a person, also those that still wait for a code, and their known devices. @returns how many sessions ended. */
export async function endAllSessions(trx: Trx, userId: string): Promise<number> {
	await endKnownDevices(trx, userId);
	await deleteCodeChallenges(trx, userId);
	return deleteSessions(trx, userId);
}

/** Nobody who gave the password of this person before can still give the code. */
export async function deleteCodeChallenges(db: Database | Trx, userId: string): Promise<void> {
	await db.deleteFrom("operators.verification").where("identifier", "like", "2fa-%").where("value", "=", userId).execute();
}

/** @param but this one stays. */
export async function deleteSessions(trx: Trx, userId: string, but?: string): Promise<number> {
	const query = trx.deleteFrom("operators.session").where("user_id", "=", userId);
	const { numDeletedRows } = await (but === undefined ? query : query.where("id", "!=", but)).executeTakeFirst();
	return Number(numDeletedRows);
}

/** Records when both factors of a session were given. @returns false when it has ended. */
export async function updateProof(trx: Trx, sessionId: string, provedAt: Date | null): Promise<boolean> {
	const query = trx.updateTable("operators.session").set({ proved_at: provedAt }).where("id", "=", sessionId);
	return (await query.returning("id").executeTakeFirst()) !== undefined;
}

/** Deletes expired sessions, links and challenges. @returns the number of deleted rows. */
export async function deleteExpiredSignIns(db: Database): Promise<number> {
	const sessions = await db.deleteFrom("operators.session").where("expires_at", "<", sql<Date>`now()`).executeTakeFirst();
	const codes = await db.deleteFrom("operators.verification").where("expires_at", "<", sql<Date>`now()`).executeTakeFirst();
	return Number(sessions.numDeletedRows) + Number(codes.numDeletedRows);
}

/**
 * The number in `operators.member` that goes up when all sessions of a person end, when their password changes and when an invitation
 * replaces their access. Known devices and sign-ins in progress have the one that stood there when they began.
 */

/** @returns the number that a known device of this person must have; null when nobody of this id works here. */
export async function findDeviceVersion(db: Database, userId: string): Promise<number | null> {
	const query = db.selectFrom("operators.member").select("device_version").where("user_id", "=", userId).where("left_at", "is", null);
	return (await query.executeTakeFirst())?.device_version ?? null;
}

/** Reads the same until the end of the transaction: a request that ends the sessions of this person waits. */
export async function lockDeviceVersion(trx: Trx, userId: string): Promise<number | null> {
	const query = trx.selectFrom("operators.member").select("device_version").where("user_id", "=", userId).where("left_at", "is", null);
	return (await query.forUpdate().executeTakeFirst())?.device_version ?? null;
}

/** No device of this person is known any more, and no sign-in that has begun goes on. */
async function endKnownDevices(db: Database | Trx, userId: string): Promise<void> {
	await db
		.updateTable("operators.member")
		.set(({ eb }) => ({ device_version: eb("device_version", "+", 1) }))
		.where("user_id", "=", userId)
		.execute();
}

/** @returns the secret of a person's authenticator, encrypted by better-auth. */
export async function findTwoFactorSecret(db: Database, userId: string): Promise<string | null> {
	return (await db.selectFrom("operators.two_factor").select("secret").where("user_id", "=", userId).executeTakeFirst())?.secret ?? null;
}

/** Records the time step of a code. @returns false when this one or a later one is recorded: of two requests at once, one is first. */
export async function updateLastStep(db: Database, userId: string, step: number): Promise<boolean> {
	const query = db.updateTable("operators.two_factor").set({ last_step: step }).where("user_id", "=", userId);
	const row = await query
		.where(({ eb, or }) => or([eb("last_step", "is", null), eb("last_step", "<", String(step))]))
		.returning("id")
		.executeTakeFirst();
	return row !== undefined;
}
