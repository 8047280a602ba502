import { type CookieOptions, parse, serialize } from "hono/utils/cookie";
import type { Runtime } from "../../server/runtime.ts";
import { expiringToken } from "../../server/signing.ts";
import { confirmationCookieDays } from "../catalogue/link-lifetimes.ts";

/** Signed HTTP-only cookies that open one order in one browser. Lifetimes in seconds; `/cookies` lists them. */
const kinds = {
	/** Set when the customer gives number and e-mail on the tracking page. */
	tracking: { name: "suivi", token: expiringToken("track", 3600) },
	/** Set when the payment starts in this browser. It lasts as long as a faulty extract can be reported. */
	confirmation: { name: "commande", token: expiringToken("confirmation", confirmationCookieDays * 86_400) },
} as const;

type Kind = keyof typeof kinds;

/** @param path the cookie is sent to this path and those below. @returns a `Set-Cookie` header. */
export function createAccessCookie(
	{ signer, now, environment }: Pick<Runtime, "signer" | "now" | "environment">,
	kind: Kind,
	{ orderId, path }: { orderId: string; path: string },
): string {
	const { token } = kinds[kind];
	return formatCookie(environment, kind, token.sign(signer, orderId, now()), { path, maxAge: token.lifetime });
}

/** @returns a `Set-Cookie` header that deletes the cookie of this path. */
export function deleteAccessCookie({ environment }: Pick<Runtime, "environment">, kind: Kind, path: string): string {
	return formatCookie(environment, kind, "", { path, maxAge: 0 });
}

/** @returns the id of the order that the request may see, or null. */
export function readAccessCookie(
	{ signer, now, environment }: Pick<Runtime, "signer" | "now" | "environment">,
	kind: Kind,
	request: Request,
): string | null {
	const name = cookieName(environment, kind);
	const value = parse(request.headers.get("cookie") ?? "", name)[name] ?? "";
	const read = kinds[kind].token.read(signer, value, now());
	return read.ok ? read.id : null;
}

const isSecure = ({ baseUrl }: Runtime["environment"]) => baseUrl.startsWith("https://");

/** On https a browser takes `__Secure-…` from https alone (RFC 6265bis, 4.1.3.1). `__Host-` would send it to every page. */
const cookieName = (environment: Runtime["environment"], kind: Kind) => `${isSecure(environment) ? "__Secure-" : ""}${kinds[kind].name}`;

/** Not React Router's `createCookie`: its signature covers neither purpose nor expiry, and its `Expires` accepts no clock. */
const formatCookie = (environment: Runtime["environment"], kind: Kind, value: string, options: CookieOptions) =>
	serialize(cookieName(environment, kind), value, { ...options, httpOnly: true, sameSite: "Lax", secure: isSecure(environment) });
