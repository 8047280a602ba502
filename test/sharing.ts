import type { TestShop } from "./shop.ts";

/** What a customer does with links to their extract, and their readers. */
export function createSharing(shop: TestShop) {
	/** Opens an order with e-mail and number. @returns the browser's cookie. */
	async function signIn(number: string, email = "ada@example.fr"): Promise<string> {
		const found = await shop.postForm("/suivi-commande", { email, orderId: number });
		return found.headers.get("set-cookie")?.split(";")[0] ?? "";
	}

	/** Sends a form of the order's page. */
	const post = (number: string, fields: Record<string, string>, cookie: string) => shop.postForm(`/suivi/${number}`, fields, { cookie });

	/** The HTML of the section on the order's page; empty without one. */
	async function readSection(number: string, cookie: string): Promise<string> {
		const html = await (await shop.ask(`/suivi/${number}`, { headers: { cookie } })).text();
		return (/<section id="partage"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "").replaceAll("<!-- -->", "").replaceAll("\u00a0", " ");
	}

	/** Makes a link. @returns its path. */
	async function share(number: string, fields: { label?: string; days?: string; code?: string } = {}): Promise<string> {
		const cookie = await signIn(number);
		const listPaths = async (): Promise<string[]> =>
			(await readSection(number, cookie)).match(/(?<=value="[^"]*)\/partage\/[\w.-]+/g) ?? [];
		const before = await listPaths();
		const made = await post(number, { intent: "share", label: "", days: "7", code: "", ...fields }, cookie);
		if (made.status !== 303) throw new Error(`no link was made: ${made.status}`);
		return (await listPaths()).find((path) => !before.includes(path)) ?? "";
	}

	/** Revokes the newest link of an order. */
	async function revoke(number: string): Promise<Response> {
		const cookie = await signIn(number);
		const [, id = ""] = /name="share" value="([^"]+)"/.exec(await readSection(number, cookie)) ?? [];
		return post(number, { intent: "revoke-share", share: id }, cookie);
	}

	/** What a reader gets at a link: status, headers, and the text of the page. */
	const read = async (answer: Promise<Response>) => {
		const response = await answer;
		const html = await response.text();
		const text = (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "")
			.replace(/<!-- -->|<wbr\/?>/g, "")
			.replace(/<[^>]+>/g, "\n")
			.replaceAll("\u00a0", " ")
			.replaceAll("&#x27;", "'");
		return { status: response.status, headers: response.headers, html, text, file: /\/partage\/fichier\/[\w.-]+/.exec(html)?.[0] ?? "" };
	};

	/** Presses « Ouvrir l’extrait ». */
	const open = (path: string, code?: string, client = "192.0.2.1") =>
		read(shop.postForm(path, code === undefined ? {} : { code }, { "x-forwarded-for": client }));

	return { signIn, post, readSection, share, revoke, read, open };
}
