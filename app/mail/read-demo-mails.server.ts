import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";

export interface DemoMail {
	id: string;
	to: string;
	subject: string;
	text: string;
	sentAt: Date;
}

/** The demo's mailbox, newest first, at most `limit` e-mails. */
export async function readDemoMails(folder: string, limit: number): Promise<DemoMail[]> {
	const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
	const dated = await Promise.all(names.map(async (name) => ({ name, sentAt: (await stat(join(folder, name))).mtime })));
	const newest = dated.sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime()).slice(0, limit);
	return Promise.all(newest.map(({ name }) => readDemoMail(folder, name.replace(/\.eml$/, ""))));
}

/** An e-mail of the demo's mailbox. */
export async function readDemoMail(folder: string, id: string): Promise<DemoMail> {
	const file = join(folder, `${id}.eml`);
	const mail = await PostalMime.parse(await readFile(file));
	return {
		id,
		to: mail.to?.map(({ address }) => address).join(", ") ?? "",
		subject: mail.subject ?? "",
		text: mail.text ?? "",
		sentAt: (await stat(file)).mtime,
	};
}
