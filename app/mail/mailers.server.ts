import { access, constants, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { describeFault } from "../../server/observability/log.ts";
import type { Mailer, MailOutcome, OutgoingMail } from "./mailer.ts";

/** How long a mail server may take, in milliseconds, before it counts as down; the pool's own idle connections end the same way. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Hands mails to an SMTP server, over a few connections that stay open.
 * @param url `smtps://user:password@host` (TLS from the start) or `smtp://…` (TLS where the server offers it; `?requireTLS=true` insists)
 * @param from `Nom <adresse>` or an address alone
 */
export function smtpMailer(url: string, from: string, limits: Partial<typeof timeouts> = {}): Mailer & { close(): void } {
	// a message that a lost connection interrupts is tried again by its job, which knows how often
	const options = { url, pool: true as const, maxConnections: 5, maxRequeues: 1, ...timeouts, ...limits };
	const transport = nodemailer.createTransport(options);
	const verify = () => {
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const tooLong = setTimeout(resolve, Math.min(verifyTimeout, options.greetingTimeout), false);
		transport.verify().then(
			() => resolve(true),
			() => resolve(false),
		);
		return promise.finally(() => clearTimeout(tooLong));
	};
	return {
		name: "smtp",
		async send(mail) {
			try {
				await transport.sendMail(compose(mail, from));
				return { ok: true };
			} catch (error) {
				const refusal = readRefusal(error as SmtpError, mail);
				if (refusal === null) throw error;
				return refusal;
			}
		},
		ready: verify,
		readyTtlMs: 5000,
		close: () => transport.close(),
	};
}

/** The demo's mailbox: each e-mail is a file, `<id>.eml`. */
export function folderMailer(folder: string, from: string): Mailer {
	const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
	return {
		name: "folder",
		async send(mail) {
			const { message } = await transport.sendMail(compose(mail, from));
			await mkdir(folder, { recursive: true, mode: 0o700 });
			const file = join(folder, `${mail.id}.eml`);
			await writeFile(`${file}.new`, message as Buffer, { mode: 0o600 });
			await rename(`${file}.new`, file);
			return { ok: true };
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

function compose(mail: OutgoingMail, from: string): SendMailOptions {
	const sender = readSender(from);
	return {
		from: sender,
		// as an object it is one address, whatever commas it holds
		to: { name: "", address: mail.to },
		replyTo: mail.replyTo === undefined ? undefined : { name: "", address: mail.replyTo },
		subject: mail.subject,
		text: mail.text,
		html: mail.html,
		// made of the mail's id: handed over twice after a crash, it is recognised as one
		messageId: `<${mail.id}@${sender.address.split("@").at(-1)}>`,
		headers:
			mail.unsubscribeUrl === undefined
				? // no absence notice comes back (RFC 3834)
					{ "Auto-Submitted": "auto-generated" }
				: { "List-Unsubscribe": `<${mail.unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
		attachments: mail.attachments?.map(({ fileName, contentType, content }) => ({
			filename: fileName,
			contentType,
			content: Buffer.from(content),
		})),
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}

/** « Dupont, père & fils <bonjour@dupont.example> » has one address, although it has a comma. */
function readSender(from: string): { name: string; address: string } {
	const [, name = "", address = from] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? [];
	return { name: name.trim().replace(/^"(.*)"$/, "$1"), address: address.trim() };
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/** Answers that speak of us, not of the mail: a sequence error, a login that the server wants or refuses (RFC 5321, RFC 4954). */
const ourFault = new Set([503, 530, 534, 535, 538]);

/** @returns null when the e-mail may pass another time: the server is unavailable, busy, or greylists. */
function readRefusal({ code, command, message, response, responseCode }: SmtpError, mail: OutgoingMail): MailOutcome | null {
	if (code !== "EENVELOPE" && code !== "EMESSAGE") return null;
	// before any dialogue: no server can be asked to write there
	if (responseCode === undefined)
		return command === "API" && /recipient/i.test(message) ? { ok: false, reason: withoutAddresses(message, mail) } : null;
	if (responseCode < 500 || ourFault.has(responseCode)) return null;
	return { ok: false, reason: withoutAddresses(response ?? message, mail) };
}

const withoutAddresses = (text: string, { to }: OutgoingMail) => describeFault(text.replaceAll(to, "…@…"));

const verifyTimeout = 3000;
