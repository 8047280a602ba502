import { access, constants, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import nodemailer, { type NodemailerError, type SendMailOptions } from "nodemailer";
import type { MailSender } from "../../server/environment/mail-sender.ts";
import { describeFault } from "../../server/observability/log.ts";
import { isAscii, toAsciiEmail } from "./email-address.ts";
import { listPictures } from "./letterhead-pictures.server.ts";
import type { Mailer, MailOutcome, OutgoingMail } from "./mailer.ts";

/** Milliseconds until a silent mail server counts as unavailable. The pool closes idle connections after the same time. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends e-mails through an SMTP server, over a few connections that stay open.
 * @param url `smtps://user:password@host` (TLS from the start) or `smtp://…` (TLS where the server offers it; `?requireTLS=true` insists)
 */
export function smtpMailer(url: string, from: MailSender, limits: Partial<typeof timeouts> = {}): Mailer & { close(): void } {
	// after a lost connection, the job of the e-mail tries again; its own limit applies
	const options = { url, pool: true as const, maxConnections: 5, maxRequeues: 1, ...timeouts, ...limits };
	const transport = nodemailer.createTransport(options);
	const verify = () => {
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const timeout = setTimeout(resolve, Math.min(verifyTimeoutMs, options.greetingTimeout), false);
		transport.verify().then(
			() => resolve(true),
			() => resolve(false),
		);
		return promise.finally(() => clearTimeout(timeout));
	};
	return {
		name: "smtp",
		async send(mail) {
			if (needsInternationalMail(mail.to)) return { ok: false, code: "refused", reply: internationalMail };
			return transport.sendMail(await compose(mail, from)).then(
				(): MailOutcome => ({ ok: true }),
				(error: NodemailerError) => toRefusal(error, mail) ?? Promise.reject(error),
			);
		},
		ready: verify,
		readyTtlMs: 5000,
		close: () => transport.close(),
	};
}

/** The demo's mailbox: each e-mail is a file, `<id>.eml`. */
export function folderMailer(folder: string, from: MailSender): Mailer {
	const transport = nodemailer.createTransport({ streamTransport: true });
	const prepare = () => mkdir(folder, { recursive: true, mode: 0o700 });
	return {
		name: "folder",
		async send(mail) {
			if (needsInternationalMail(mail.to)) return { ok: false, code: "refused", reply: internationalMail };
			const { message } = await transport.sendMail(await compose(mail, from));
			await prepare();
			const file = join(folder, `${mail.id}.eml`);
			await writeFile(`${file}.new`, message, { mode: 0o600 });
			await rename(`${file}.new`, file);
			return { ok: true };
		},
		ready: () =>
			prepare()
				.then(() => access(folder, constants.W_OK))
				.then(
					() => true,
					() => false,
				),
	};
}

/** A domain has a form in ASCII; what stands before it has none, and few servers take it (RFC 6531, 3.2). */
const needsInternationalMail = (email: string): boolean => !isAscii(toAsciiEmail(email));

/** Without a code, as for any address to which no e-mail can leave (`isRecipientRefused`). */
const internationalMail = "cette adresse contient des lettres accentuées, que les serveurs d’e-mail refusent (SMTPUTF8)";

async function compose(mail: OutgoingMail, sender: MailSender): Promise<SendMailOptions> {
	const toMessageId = (id: string) => (id.includes("@") ? `<${id}>` : `<${id}@${sender.address.split("@").at(-1)}>`);
	const references = mail.references?.map(toMessageId) ?? [];
	return {
		from: sender,
		// an object is one address, even if it contains a comma
		to: { name: "", address: mail.to },
		replyTo: mail.replyTo === undefined || needsInternationalMail(mail.replyTo) ? undefined : { name: "", address: mail.replyTo },
		subject: mail.subject,
		text: mail.text,
		html: mail.html,
		// depends on the id alone, so that recipients recognise an e-mail that a crash sent twice
		messageId: toMessageId(mail.id),
		references,
		inReplyTo: references.at(-1),
		headers:
			mail.unsubscribeUrl === undefined
				? // suppresses absence notices (RFC 3834)
					{ ...(!mail.isPersonal && { "Auto-Submitted": "auto-generated" }) }
				: { "List-Unsubscribe": `<${mail.unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
		attachments: [
			...(mail.attachments ?? []).map(({ fileName, contentType, content }) => ({
				filename: fileName,
				contentType,
				content: Buffer.from(content),
			})),
			// beside the HTML (multipart/related), not among the files
			...(await listPictures(mail.html)).map(({ cid, name, content }) => ({
				cid,
				filename: name,
				contentType: "image/png",
				contentDisposition: "inline" as const,
				content,
			})),
		],
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}

/** SMTP replies about the shop, not about the e-mail: a sequence error, a missing or refused login (RFC 5321, RFC 4954). */
const senderFaultCodes = new Set([503, 530, 534, 535, 538]);

/** @returns null after a temporary failure: the server is unavailable, busy, or greylists. */
function toRefusal({ code, command, message, response, responseCode }: NodemailerError, mail: OutgoingMail): MailOutcome | null {
	if (code !== "EENVELOPE" && code !== "EMESSAGE") return null;
	// nodemailer refused the recipient's address before any connection, or the server answered without a code
	if (responseCode === undefined) return command === "API" ? { ok: false, code: "refused", reply: withoutRecipient(message, mail) } : null;
	if (responseCode < 500 || senderFaultCodes.has(responseCode)) return null;
	return { ok: false, code: "refused", reply: withoutRecipient(response ?? message, mail) };
}

const withoutRecipient = (text: string, { to }: OutgoingMail) => describeFault(text.replaceAll(to, "…@…"));

const verifyTimeoutMs = 3000;
