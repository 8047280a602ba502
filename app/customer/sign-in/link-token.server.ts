import { createHash } from "node:crypto";

/** The cookie of a session, without the prefix that it has on https. */
export const sessionCookieName = "mes-commandes.session_token";

/** The identifier of a link in the database. */
export const hashLinkToken = (token: string): string => createHash("sha256").update(token).digest("base64url");
