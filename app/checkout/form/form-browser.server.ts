import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { href } from "react-router";
import type { Runtime } from "../../../server/runtime.ts";
import { expiringToken } from "../../../server/signing.ts";
import { orderFormHours } from "../../catalogue/retention.ts";
import { createAccessCookies, readAccessCookies } from "../../orders/access-cookie.server.ts";

/**
 * Which browser typed a stored form. The browser's cookie has a secret; the form's token contains its own authentication code under that
 * secret. So the address alone does not say what the cookie is, and nothing is stored (docs/decisions/0053-forms-of-one-browser.md).
 */

type BrowserRuntime = Pick<Runtime, "environment" | "signer" | "now">;

/** In the cookie. Each form that is stored renews it, so it lives as long as the last form. */
const browserToken = expiringToken("order-form-browser", orderFormHours * 3600);

/** Of a form's token: 256 random bits, then the authentication code. */
const [randomBytesCount, codeBytesCount] = [32, 16];

/** The pages of the forms, and of their payment. */
const pages = () => [href("/commande"), href("/paiement")];

export const createBrowserSecret = (): string => randomBytes(32).toString("base64url");

/** @returns the secrets of a request's cookies; usually none or one. */
export function readBrowserSecrets(runtime: BrowserRuntime, request: Request): string[] {
	return readAccessCookies(runtime, "form", request).flatMap((token) => {
		const cookie = browserToken.read(runtime.signer, token, runtime.now());
		return cookie.ok ? [cookie.id] : [];
	});
}

/** Creates a form's token. @param secret of the browser that typed it. */
export function createFormToken(secret: string): string {
	const random = randomBytes(randomBytesCount);
	return Buffer.concat([random, authenticate(secret, random)]).toString("base64url");
}

/** Whether the browser with this secret typed the form of a token. */
export function isFormOf(secret: string, token: string): boolean {
	const bytes = Buffer.from(token, "base64url");
	if (bytes.length !== randomBytesCount + codeBytesCount) return false;
	return timingSafeEqual(bytes.subarray(randomBytesCount), authenticate(secret, bytes.subarray(0, randomBytesCount)));
}

const authenticate = (secret: string, random: Buffer): Buffer =>
	createHmac("sha256", secret).update(random).digest().subarray(0, codeBytesCount);

/** @returns headers with the cookies of the browser with this secret. */
export function createFormCookies(runtime: BrowserRuntime, secret: string): Headers {
	const token = browserToken.sign(runtime.signer, secret, runtime.now());
	return toHeaders(pages().flatMap((page) => createAccessCookies(runtime, "form", { page, token, lifetime: browserToken.lifetime })));
}

/** @returns `Set-Cookie` headers that remove these cookies: the forms of this browser show what they name, and nothing typed. */
export const endFormCookies = (runtime: Pick<Runtime, "environment">): string[] =>
	pages().flatMap((page) => createAccessCookies(runtime, "form", { page, token: "", lifetime: 0 }));

const toHeaders = (cookies: readonly string[]) => new Headers(cookies.map((cookie) => ["set-cookie", cookie]));
