import type { Context } from "../../server/runtime.ts";

/** An e-mail ready to be sent. Its id gives the Message-ID, so that a repeated sending is recognisable. */
export interface OutgoingMail {
	id: string;
	to: string;
	subject: string;
	text: string;
	html: string;
	/** The address for replies, when it is not the shop's. */
	replyTo?: string;
	/** The e-mails before this one, oldest first, by their Message-ID or by the id of one of ours: mailboxes then show them together. */
	references?: readonly string[];
	/** A person wrote it: mailboxes may answer with an absence notice. */
	isPersonal?: boolean;
	attachments?: { fileName: string; contentType: string; content: Uint8Array }[];
	/** The URL that ends e-mails of this kind with one click (RFC 8058). */
	unsubscribeUrl?: string;
}

/** `refused`: the mail server refuses the e-mail permanently (SMTP 5xx). `reply`: its own words, without the recipient's address. */
export type MailOutcome = { ok: true } | { ok: false; code: "refused"; reply: string };

export interface Mailer {
	name: string;
	/** @throws after a temporary failure; the caller's job tries again. */
	send(mail: OutgoingMail): Promise<MailOutcome>;
	ready(): Promise<boolean>;
	/** Milliseconds for which a result of `ready` may be reused, because each call costs a request. */
	readyTtlMs?: number;
}

/** What a use case that sends e-mails needs. */
export interface MailContext extends Context {
	mailer: Mailer;
}
