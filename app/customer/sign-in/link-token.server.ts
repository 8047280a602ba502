import { createHash } from "node:crypto";
import { href } from "react-router";

/** The cookie of a session, without the prefix that it has on https. */
export const sessionCookieName = "mes-commandes.session_token";

/** The path of the customer's space. */
export const spacePath = href("/mes-commandes");

/** The identifier of a link in the database. */
export const hashLinkToken = (token: string): string => createHash("sha256").update(token).digest("base64url");
