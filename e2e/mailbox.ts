import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import PostalMime from "postal-mime";
import { dataDir } from "./databases.ts";
import { normalizeText } from "./page-text.ts";

// The e-mails of the shared shop, read from its folder. The page /test shows them too, but reads all of them each time.

const folder = join(dataDir, "mails");

interface SentMail {
	file: string;
	to: string;
	subject: string;
}

/** What this worker has read: a file does not change. */
const read = new Map<string, SentMail>();

/** The e-mails to an address. @param subject a part of it. */
export async function listMails(email: string, subject = ""): Promise<SentMail[]> {
	const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
	for (const file of files) if (!read.has(file)) read.set(file, await readHeaders(file));
	return [...read.values()].filter((mail) => mail.to === email && mail.subject.includes(normalizeText(subject)));
}

async function readHeaders(file: string): Promise<SentMail> {
	const [headers = ""] = (await readFile(join(folder, file), "latin1")).split(/\r?\n\r?\n/, 1);
	const { to, subject } = await PostalMime.parse(headers);
	return { file, to: to?.[0]?.address ?? "", subject: normalizeText(subject ?? "") };
}

/**
 * Waits for an e-mail and opens it in the browser, away from the shop, as in a mail program.
 * @param subject a part of it. @param earlier e-mails of the same kind from before.
 */
export async function openMail(page: Page, email: string, subject: string, earlier: readonly SentMail[] = []): Promise<Locator> {
	const findNew = async () => (await listMails(email, subject)).find(({ file }) => earlier.every((other) => other.file !== file));
	await expect.poll(findNew, { message: `« ${subject} » to ${email}`, intervals: [50] }).toBeDefined();
	const { html = "", attachments } = await PostalMime.parse(await readFile(join(folder, (await findNew())?.file ?? "")));
	const shown = attachments.reduce((text, { contentId = "", mimeType, content }) => {
		const data = Buffer.from(content as ArrayBuffer).toString("base64");
		return text.replaceAll(`cid:${contentId.slice(1, -1)}`, `data:${mimeType};base64,${data}`);
	}, html);
	await page.goto("about:blank");
	await page.setContent(shown);
	return page.locator("body");
}
