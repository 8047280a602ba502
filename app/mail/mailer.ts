/** A mail ready to leave. Its id makes sending it twice visible: the same file, the same Message-ID. */
export interface OutgoingMail {
	id: string;
	to: string;
	subject: string;
	text: string;
	html: string;
	/** Who reads the answers, when it is not the shop. */
	replyTo?: string;
	attachments?: { fileName: string; contentType: string; content: Uint8Array }[];
	/** For newsletters only: where one click ends them (RFC 8058). */
	unsubscribeUrl?: string;
}

/** Handed over, or refused for good by the mail server (an SMTP answer 5xx), in its own words. */
export type MailOutcome = { ok: true } | { ok: false; reason: string };

export interface Mailer {
	name: string;
	/** @throws when it could not be handed over now: it is tried again. */
	send(mail: OutgoingMail): Promise<MailOutcome>;
	ready(): Promise<boolean>;
	/** Milliseconds for which an answer of `ready` is used again, because each question costs a request. */
	readyTtlMs?: number;
}
