import type { Context } from "../../../server/runtime.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import type { Verb } from "../log/verbs.ts";
import { deleteSessions, endSessions, lockDeviceVersion, type Operator, updateProof } from "./operators.store.server.ts";
import type { SignInContext } from "./sign-in.server.ts";

/**
 * Opens the desk to a session that better-auth has just made, because both factors were given. Refuses when the sessions of its operator
 * were all ended, or their password or access was replaced, since the operator was read; the new session then ends.
 * @param cookies Set-Cookie headers of better-auth. @param operator as read before the factors were compared.
 * @returns false also for a session of another person.
 */
export async function openSession(
	context: SignInContext,
	cookies: readonly string[],
	{ id, deviceVersion }: Pick<Operator, "id" | "deviceVersion">,
	{ provedAt = context.now(), endOthers = false }: { provedAt?: Date; endOthers?: boolean } = {},
): Promise<boolean> {
	const cookie = toCookieHeader(cookies);
	const session = (await (await context.operatorAuth()).api.getSession({ headers: new Headers({ cookie }) }))?.session;
	if (session === undefined) return false;
	const isOpen =
		session.userId === id &&
		(await context.db.transaction().execute(async (trx) => {
			if ((await lockDeviceVersion(trx, id)) !== deviceVersion) return false;
			if (endOthers) await deleteSessions(trx, id, session.id);
			return updateProof(trx, session.id, provedAt);
		}));
	if (!isOpen) await endSessions(context.db, session.userId, [session.id]);
	return isOpen;
}

/** What a browser sends after it got these Set-Cookie headers. */
export const toCookieHeader = (cookies: readonly string[]): string => cookies.map((cookie) => cookie.split(";")[0]).join("; ");

/**
 * Records in the trail who came in, how, and from where, or who failed after the right password. What is not recorded does not open:
 * callers record before they hand out cookies.
 */
export async function recordSignIn(
	context: Pick<Context, "db" | "now" | "log">,
	{ id, name }: Pick<Operator, "id" | "name">,
	verb: Verb,
	{ client, ok = true }: { client: string; ok?: boolean },
): Promise<void> {
	await runRecorded(context, { verb, actor: { id, name, origin: client } }, async () => ({ ok }));
}
