import { createHmac } from "node:crypto";
import { inviteOperator } from "../app/desk/operators/invite-operator.server.ts";
import type { Role } from "../app/desk/operators/roles.ts";
import type { TestShop } from "./shop.ts";

/** An operator with a browser: the cookies that the desk set. */
export interface TestOperator {
	email: string;
	password: string;
	/** The secret of the authenticator, in base 32. */
	secret: string;
	recoveryCodes: string[];
	cookies: Map<string, string>;
	/** Requests a path of the desk with the cookies, and keeps those of the answer. */
	ask(path: string, init?: RequestInit): Promise<Response>;
	/** Sends a form of the desk. */
	post(path: string, fields: Record<string, string>): Promise<Response>;
}

/** Invites a person, who accepts and sets up the second factor, all over HTTP. */
export async function createOperator(shop: TestShop, name: string, roles: readonly Role[]): Promise<TestOperator> {
	const email = `${name.toLowerCase()}@bureau.example`;
	const password = `${name} et une longue phrase`;
	const url = await inviteOperator(shop.shop, { email, name, roles, invitedBy: "test" });
	const operator = createBrowser(shop.url);
	const accepted = await operator.post(new URL(url).pathname, { password });
	const page = unescapeHtml(await accepted.text());
	const secret = readSecret(page);
	const recoveryCodes = [...page.matchAll(/<li>(\w{5}-\w{5})<\/li>/g)].map(([, code = ""]) => code);
	const kept = /name="kept" value="([^"]+)"/.exec(page)?.[1] ?? "";
	const opened = await operator.post("/bureau/second-facteur", { step: "confirm", code: oneTimeCode(secret), kept });
	if (opened.headers.get("location") !== "/bureau") throw new Error(`the desk did not open for ${name}: ${opened.status}`);
	return { email, password, secret, recoveryCodes, ...operator };
}

/** The secret of an authenticator, as the page that sets it up shows it. */
export const readSecret = (page: string): string => (/cette clé.*?<span[^>]*>([A-Z2-7 ]+)</s.exec(page)?.[1] ?? "").replaceAll(" ", "");

/**
 * A browser without a session. Its pages come without their scripts: these hold all that loaders and actions gave, so that a test would
 * find a sentence there that the page does not show.
 */
export function createBrowser(shopUrl: string) {
	const cookies = new Map<string, string>();
	const ask = async (path: string, init: RequestInit = {}) => {
		const headers = new Headers(init.headers);
		if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
		const answer = await fetch(new URL(path, shopUrl), { redirect: "manual", ...init, headers });
		for (const cookie of answer.headers.getSetCookie()) {
			const [, cookieName = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (/max-age=0/i.test(cookie) || value === "") cookies.delete(cookieName);
			else cookies.set(cookieName, value);
		}
		return answer.headers.get("content-type")?.startsWith("text/html") ? withoutScripts(answer) : answer;
	};
	const post = (path: string, fields: Record<string, string>) => ask(path, { method: "POST", body: new URLSearchParams(fields) });
	return { cookies, ask, post };
}

async function withoutScripts(page: Response): Promise<Response> {
	const html = (await page.text()).replace(/<script\b[^>]*>.*?<\/script>/gs, "");
	return new Response(html, page);
}

/** A code that is accepted now, although one of this half-minute was. */
export async function freshCode({ shop: { db } }: TestShop, { email, secret }: Pick<TestOperator, "email" | "secret">): Promise<string> {
	const owner = db.selectFrom("operators.user").select("operators.user.id").where("email", "=", email);
	await db.updateTable("operators.two_factor").set({ last_step: null }).where("user_id", "=", owner).execute();
	return oneTimeCode(secret);
}

/** The code of an authenticator (RFC 6238: SHA-1, 30 s, six digits). @param at milliseconds. */
export function oneTimeCode(secret: string, at = Date.now()): string {
	const bits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
	const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
	const mac = createHmac("sha1", key).update(counter).digest();
	const offset = (mac.at(-1) ?? 0) & 15;
	return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

const unescapeHtml = (html: string) => html.replaceAll("&amp;", "&");
