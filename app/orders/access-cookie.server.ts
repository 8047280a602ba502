import { type CookieOptions, serialize } from "hono/utils/cookie";
import { readCookies } from "../../server/cookies.ts";
import type { Runtime } from "../../server/runtime.ts";

/** HTTP-only cookies that open an order or a typed form in one browser; their values are signed tokens. `/cookies` lists them. */
const names = {
	/** Of the tracking page. */
	tracking: "suivi",
	/** Of the confirmation, and of the page that resumes the payment. */
	confirmation: "commande",
	/** Of the forms that this browser typed, until their payment. */
	form: "saisie",
} as const;

type Kind = keyof typeof names;
type CookieRuntime = Pick<Runtime, "environment">;

/**
 * The cookies of one page: a browser sends them to that page and below, and to the page's data, which the framework requests at `.data`.
 * @param withData false: the page has no scripts, so nothing requests its data.
 * @param lifetime in seconds; 0 deletes them.
 * @returns `Set-Cookie` headers.
 */
export function createAccessCookies(
	{ environment }: CookieRuntime,
	kind: Kind,
	{ page, withData = true, token, lifetime }: { page: string; withData?: boolean; token: string; lifetime: number },
): string[] {
	return [page, ...(withData ? [`${page}.data`] : [])].map((path) => formatCookie(environment, kind, token, { path, maxAge: lifetime }));
}

/** @returns the tokens of a request's cookies; one of them may be valid. */
export const readAccessCookies = ({ environment }: CookieRuntime, kind: Kind, request: Request): string[] =>
	readCookies(request.headers.get("cookie"), cookieName(environment, kind));

const isSecure = ({ baseUrl }: Runtime["environment"]) => baseUrl.startsWith("https://");

/** On https a browser takes `__Secure-…` from https alone (RFC 6265bis, 4.1.3.1). `__Host-` would send it to every page. */
const cookieName = (environment: Runtime["environment"], kind: Kind) => `${isSecure(environment) ? "__Secure-" : ""}${names[kind]}`;

/** Not React Router's `createCookie`: its signature covers neither purpose nor expiry, and its `Expires` accepts no clock. */
const formatCookie = (environment: Runtime["environment"], kind: Kind, value: string, options: CookieOptions) =>
	serialize(cookieName(environment, kind), value, { ...options, httpOnly: true, sameSite: "Lax", secure: isSecure(environment) });
