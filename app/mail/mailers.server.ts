import { access, constants, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import nodemailer from "nodemailer";
import type { Mailer, OutgoingMail } from "./mailer.ts";

function envelope(mail: OutgoingMail, from: string) {
	return {
		from,
		to: mail.to,
		subject: mail.subject,
		text: mail.text,
		html: mail.html,
		messageId: `<${mail.id}@${from.split("@").at(-1)?.replace(/[>\s]/g, "")}>`,
	};
}

/** Hands mails to an SMTP server, `smtps://user:password@host`. */
export function smtpMailer(url: string, from: string): Mailer {
	const transport = nodemailer.createTransport(url);
	return {
		name: "smtp",
		async send(mail) {
			await transport.sendMail(envelope(mail, from));
		},
		ready: () =>
			transport.verify().then(
				() => true,
				() => false,
			),
	};
}

/** The demo's letter box: each mail is a file, `<id>.eml`. */
export function folderMailer(folder: string, from: string): Mailer {
	const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
	return {
		name: "folder",
		async send(mail) {
			const { message } = await transport.sendMail(envelope(mail, from));
			await mkdir(folder, { recursive: true, mode: 0o700 });
			const file = join(folder, `${mail.id}.eml`);
			await writeFile(`${file}.new`, message as Buffer, { mode: 0o600 });
			await rename(`${file}.new`, file);
		},
		ready: () =>
			mkdir(folder, { recursive: true, mode: 0o700 })
				.then(() => access(folder, constants.W_OK))
				.then(
					() => true,
					() => false,
				),
	};
}
