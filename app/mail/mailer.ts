/** A mail ready to leave. Its id makes sending it twice visible: the same file, the same Message-ID. */
export interface OutgoingMail {
	id: string;
	to: string;
	subject: string;
	text: string;
	html: string;
}

export interface Mailer {
	name: string;
	/** @throws when it could not be handed over: it is tried again. */
	send(mail: OutgoingMail): Promise<void>;
	ready(): Promise<boolean>;
}
