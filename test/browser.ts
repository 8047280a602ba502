import type { TestShop } from "./shop.ts";

export type TestBrowser = ReturnType<typeof createBrowser>;

/** A browser without JavaScript: it stores the shop's cookies, and sends each to its path and below (RFC 6265, 5.1.4). Redirects are not followed. */
export function createBrowser({ ask: askShop, url }: Pick<TestShop, "ask" | "url">) {
	const stored = new Map<string, { path: string; text: string }>();

	const ask = async (address: string, init: RequestInit = {}): Promise<Response> => {
		const headers = new Headers(init.headers);
		const { pathname } = new URL(address, url);
		const sent = [...stored.values()].filter(({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, "/")));
		if (sent.length > 0) headers.append("cookie", sent.map(({ text }) => text).join("; "));
		const answer = await askShop(address, { ...init, headers });
		for (const cookie of answer.headers.getSetCookie()) {
			const [text = ""] = cookie.split(";");
			const path = /; Path=([^;]+)/i.exec(cookie)?.[1] ?? "/";
			const key = `${text.split("=")[0]} ${path}`;
			if (/; Max-Age=0/i.test(cookie)) stored.delete(key);
			else stored.set(key, { path, text });
		}
		return answer;
	};

	const postForm = (address: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
		ask(address, { method: "POST", body: new URLSearchParams(fields), headers });

	return { ask, postForm };
}

/** The shop with a customer whose requests all come from one browser. */
export const inOneBrowser = <Shop extends Pick<TestShop, "ask" | "url">>(shop: Shop): Shop => ({ ...shop, ...createBrowser(shop) });
