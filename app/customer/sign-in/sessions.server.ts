import { separateCookies } from "../../../server/cookies.ts";
import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import type { CustomerAuth } from "./auth.server.ts";
import { hashLinkToken, sessionCookieName, spacePath } from "./link-token.server.ts";
import {
	deleteLinks,
	deleteSession,
	endSessions,
	hasLink,
	hasOpenSession,
	listSessions,
	type OpenSession,
	upsertMailbox,
} from "./sessions.store.server.ts";

/** What signing in needs of the shop. */
export type SignInContext = Pick<Context, "db" | "environment"> & { customerAuth: () => Promise<CustomerAuth> };

/** A browser in which the owner of a mailbox opened their space. */
export interface SignedInCustomer {
	/** As normalizeEmail writes it. */
	mailbox: string;
	userId: string;
	sessionId: string;
}

/** Whether a link can still be used. It changes nothing, because mail scanners open links too. */
export const isLinkOpen = ({ db }: SignInContext, token: string): Promise<boolean> => hasLink(db, hashLinkToken(token));

/**
 * Uses a link up and opens a session in the browser that sent the request. The other links of the mailbox end.
 * @returns Set-Cookie headers; null when the link was used, has expired, or never existed.
 */
export async function openSessionByLink(context: SignInContext, token: string, headers: Headers): Promise<string[] | null> {
	const { api } = await context.customerAuth();
	const { mailbox } = await api.consumeLink({ body: { token } });
	if (mailbox === null) return null;
	const userId = await context.db.transaction().execute(async (trx) => {
		await deleteLinks(trx, mailbox);
		return upsertMailbox(trx, mailbox);
	});
	const userAgent = headers.get("user-agent")?.slice(0, 300);
	const answer = await api.startSession({
		body: { userId },
		headers: new Headers(userAgent ? { "user-agent": userAgent } : {}),
		returnHeaders: true,
	});
	return sendToTracking(answer.headers.getSetCookie());
}

/** The session opens the orders of its mailbox at their own addresses, too: browsers send a second cookie there, with the same value. */
const sendToTracking = (cookies: readonly string[]): string[] =>
	cookies.flatMap((cookie) => [cookie, cookie.replace(`Path=${spacePath}`, "Path=/suivi")]);

/** @returns who sent a request; null without an open session. */
export async function findSignedInCustomer({ customerAuth }: SignInContext, headers: Headers): Promise<SignedInCustomer | null> {
	return (await findSession({ customerAuth }, headers))?.customer ?? null;
}

/** Finds the open session of a request, and the cookie that names it: one of several may be of another host (server/cookies.ts). */
async function findSession({ customerAuth }: Pick<SignInContext, "customerAuth">, headers: Headers) {
	// most requests have no cookie, and need no query
	if (!headers.get("cookie")?.includes(sessionCookieName)) return null;
	const { $context, api } = await customerAuth();
	for (const cookie of separateCookies(headers.get("cookie"), (await $context).authCookies.sessionToken.name)) {
		const found = await api.getSession({ headers: new Headers({ cookie }) });
		if (found) return { cookie, customer: { mailbox: found.user.email, userId: found.user.id, sessionId: found.session.id } };
	}
	return null;
}

/** Ends the session of a browser. @returns Set-Cookie headers that remove its cookie. */
export async function signOutCustomer({ customerAuth }: SignInContext, headers: Headers): Promise<string[]> {
	const { api } = await customerAuth();
	const cookie = (await findSession({ customerAuth }, headers))?.cookie ?? "";
	const answer = await api.signOut({ headers: new Headers({ cookie }), returnHeaders: true });
	// better-auth also removes cookies that we do not use
	return sendToTracking(answer.headers.getSetCookie().filter((text) => text.includes(`${sessionCookieName}=`)));
}

export const listOpenSessions = ({ db }: SignInContext, { userId }: SignedInCustomer): Promise<OpenSession[]> => listSessions(db, userId);

/** Ends another session of the same mailbox. A session of somebody else is not touched. */
export async function endSession({ db }: SignInContext, { userId }: SignedInCustomer, sessionId: string): Promise<void> {
	if (isUuid(sessionId)) await endSessions(db, userId, { id: sessionId });
}

export async function endOtherSessions({ db }: SignInContext, { userId, sessionId }: SignedInCustomer): Promise<void> {
	await endSessions(db, userId, { allBut: sessionId });
}

/** Whether a session is still open: what it opened outside the space ends with it (docs/rules.md, R171). */
export const isSessionOpen = (db: SignInContext["db"], sessionId: string): Promise<boolean> => hasOpenSession(db, sessionId);

/** Ends a session from a page outside the space, which does not know its mailbox. */
export const endSessionById = (db: SignInContext["db"], sessionId: string): Promise<void> => deleteSession(db, sessionId);
