import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { extractText, getDocumentProxy } from "unpdf";
import { readZip } from "../purchases/read-zip.ts";
import type { TestShop } from "../shop.ts";

/** A text that left the shop, and where it was read. */
export interface ReadText {
	where: string;
	text: string;
}

/** Pages that show something of an order, and files of orders. */
const followed = /\/(?:suivi|confirmation|documents|partage|mes-commandes|verifier)\/[^\s"'<>\\)]*/g;

/** Pages that look different with the cookie of an order or of the space. */
const withCookie = /^\/(?:suivi|confirmation|mes-commandes|paiement)\b/;

/** An address without what differs each time: of a signed token, only the id. */
const toKey = (path: string) =>
	path
		.replace(/\/([\w-]+)\.[\w-]{43}/g, (_, signed: string) => `/${Buffer.from(signed, "base64url").toString().split(".")[0]}`)
		.replace(/\bkb-\w{4}-\w{4}/g, (number) => number.toUpperCase())
		.replace(/#.*/, "");

/** Reads the text of a file: each file of an archive; of a PDF its text, properties, attached files and bytes. */
export async function readFileTexts(where: string, bytes: Buffer): Promise<ReadText[]> {
	const raw = { where, text: bytes.toString("latin1") };
	if (bytes.subarray(0, 4).toString() === "%PDF") {
		const document = await getDocumentProxy(new Uint8Array(bytes));
		const { text } = await extractText(document, { mergePages: true });
		const { info } = await document.getMetadata();
		const attached = [...((await document.getAttachments()) ?? new Map()).keys()].map(async (name) => ({
			where: `${where}, ${name}`,
			text: Buffer.from((await document.getAttachmentContent(name)) ?? []).toString(),
		}));
		return [
			...[raw, { where: `${where}, text`, text }, { where: `${where}, properties`, text: JSON.stringify(info) }],
			...(await Promise.all(attached)),
		];
	}
	if (bytes.subarray(0, 2).toString() !== "PK") return [raw, { where, text: bytes.toString("utf8") }];
	const files = [...readZip(bytes)];
	const texts = await Promise.all(files.map(([name, content]) => readFileTexts(`${where}, ${name}`, content)));
	return [{ where, text: files.map(([name]) => name).join("\n") }, ...texts.flat()];
}

/**
 * Reads everything that a browser gets from some addresses on: each page and its `.data`, the pages and files of orders to which they link,
 * and what their headers say.
 * @param known what was read before, with which cookie.
 */
export async function browse(
	shop: Pick<TestShop, "ask" | "url">,
	paths: readonly string[],
	given = "",
	known = new Set<string>(),
	// each page that leads to another order gives a new cookie, and would be read for ever
	visit = given,
): Promise<ReadText[]> {
	const texts: ReadText[] = [];
	const queue = [...paths];
	for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
		const cookie = withCookie.test(path) ? given : "";
		const key = `${toKey(path)} ${cookie === "" ? "" : visit}`;
		if (known.has(key)) continue;
		known.add(key);
		const answer = await shop.ask(path, { headers: { cookie } });
		const type = answer.headers.get("content-type") ?? "";
		const where = `${toKey(path)} with ${cookie.split("=")[0] || "no cookie"}`;
		texts.push({ where: `${where}, headers`, text: JSON.stringify([...answer.headers]) });
		if (type.startsWith("text/event-stream")) await answer.body?.cancel();
		else if (!/html|text\/x-script/.test(type) && answer.status === 200)
			texts.push(...(await readFileTexts(where, Buffer.from(await answer.arrayBuffer()))));
		else {
			const text = await answer.text();
			texts.push({ where, text });
			// a text holds the address of its live stream as well
			const found = (text.replaceAll("&amp;", "&").match(followed) ?? []).filter((each) => !/\/direct\b|[[\]{},:]/.test(each));
			queue.push(...found.filter((each) => !each.startsWith("/mes-commandes/lien")));
			if (type.includes("html") && !path.includes(".data") && answer.status === 200) queue.push(path.replace(/(?=\?|$)/, ".data"));
		}
		const location = answer.headers.get("location");
		const set = answer.headers.getSetCookie().flatMap((each) => each.split(";")[0] ?? []);
		const next = location === null ? [] : [new URL(location, shop.url)].map(({ pathname, search }) => `${pathname}${search}`);
		if (set.length > 0) texts.push(...(await browse(shop, next, set.join("; "), known, visit)));
		else queue.push(...next);
	}
	return texts;
}

/** The e-mails in a demo's folder, with their headers, texts and attachments, and the paths of the shop to which they link. */
export async function readMails(folder: string): Promise<{ to: string; texts: ReadText[]; links: string[] }[]> {
	const names = (await readdir(folder)).filter((name) => name.endsWith(".eml"));
	return Promise.all(
		names.map(async (name) => {
			const mail = await PostalMime.parse(await readFile(join(folder, name)));
			const to = (mail.to ?? []).map(({ address }) => address).join(", ");
			const where = `e-mail to ${to}: ${mail.subject}`;
			const text = [...mail.headers.map(({ value }) => value), mail.subject, mail.text, mail.html].join("\n");
			const files = mail.attachments.map(({ filename, content }) =>
				readFileTexts(`${where}, ${filename}`, Buffer.from(content as ArrayBuffer)),
			);
			const links = (mail.text?.match(/https?:\/\/\S+/g) ?? []).map((link) => new URL(link).pathname);
			return { to, texts: [{ where, text }, ...(await Promise.all(files)).flat()], links };
		}),
	);
}
