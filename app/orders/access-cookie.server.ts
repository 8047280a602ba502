import type { Runtime } from "../../server/runtime.ts";

/** The tracking page's memory that e-mail and number were given: one order, one hour, readable by the server alone. */
const purpose = "track";
const lifetime = 3600;

export function accessCookie({ signer, now, environment }: Pick<Runtime, "signer" | "now" | "environment">, orderId: string): string {
	const value = signer.sign(purpose, `${orderId}.${Math.floor(now().getTime() / 1000) + lifetime}`);
	const secure = environment.baseUrl.startsWith("https://") ? "; Secure" : "";
	return `suivi=${value}; Path=/suivi; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`;
}

/** @returns the order that the request may see, or null. */
export function readAccessCookie({ signer, now }: Pick<Runtime, "signer" | "now">, request: Request): string | null {
	const value = /(?:^|;\s*)suivi=([\w.-]+)/.exec(request.headers.get("cookie") ?? "")?.[1];
	const [orderId, expires] = (value && signer.verify(purpose, value)?.split(".")) || [];
	return orderId && Number(expires) * 1000 > now().getTime() ? orderId : null;
}
