import type { Runtime } from "../../server/runtime.ts";

/** Signed cookies that open one order in one browser, readable by the server alone. Lifetimes in seconds; `/cookies` prints them. */
const kinds = {
	/** Number and e-mail were given on the tracking page. */
	tracking: { name: "suivi", purpose: "track", lifetime: 3600 },
	/** The payment was started in this browser. As long as a faulty extract can be reported: the page keeps the way to it. */
	confirmation: { name: "commande", purpose: "confirmation", lifetime: 30 * 86_400 },
} as const;

type Kind = keyof typeof kinds;

/** @param path what the cookie is sent to: this path and those below. @returns a `Set-Cookie` header. */
export function createAccessCookie(
	{ signer, now, environment }: Pick<Runtime, "signer" | "now" | "environment">,
	kind: Kind,
	{ orderId, path }: { orderId: string; path: string },
): string {
	const { purpose, lifetime } = kinds[kind];
	const value = signer.sign(purpose, `${orderId}.${Math.floor(now().getTime() / 1000) + lifetime}`);
	return formatCookie(environment, kind, { value, path, maxAge: lifetime });
}

/** @returns a `Set-Cookie` header that deletes the cookie of this path. */
export function deleteAccessCookie({ environment }: Pick<Runtime, "environment">, kind: Kind, path: string): string {
	return formatCookie(environment, kind, { value: "", path, maxAge: 0 });
}

/** @returns the id of the order that the request may see, or null. */
export function readAccessCookie(
	{ signer, now, environment }: Pick<Runtime, "signer" | "now" | "environment">,
	kind: Kind,
	request: Request,
): string | null {
	const name = cookieName(environment, kind);
	const value = new RegExp(`(?:^|;\\s*)${name}=([\\w.-]+)`).exec(request.headers.get("cookie") ?? "")?.[1];
	const [orderId, expires] = (value && signer.verify(kinds[kind].purpose, value)?.split(".")) || [];
	return orderId && Number(expires) * 1000 > now().getTime() ? orderId : null;
}

const isSecure = ({ baseUrl }: Runtime["environment"]) => baseUrl.startsWith("https://");

/** On https a browser takes `__Secure-…` from https alone (RFC 6265bis, 4.1.3.1). `__Host-` would send it to every page. */
const cookieName = (environment: Runtime["environment"], kind: Kind) => `${isSecure(environment) ? "__Secure-" : ""}${kinds[kind].name}`;

function formatCookie(
	environment: Runtime["environment"],
	kind: Kind,
	{ value, path, maxAge }: { value: string; path: string; maxAge: number },
): string {
	const secure = isSecure(environment) ? "; Secure" : "";
	return `${cookieName(environment, kind)}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}
