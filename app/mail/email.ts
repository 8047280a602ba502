import type { TextBlock } from "../markdown/rich-text.ts";

/** A mail's content, from which both its text and its HTML are made: they cannot differ. Ordinary spaces will do, French ones are put in. */
export interface EmailContent {
	subject: string;
	/** What mailboxes show after the subject. */
	preheader: string;
	/** The heading. */
	title: string;
	blocks: readonly EmailBlock[];
}

/** Text of an e-mail is plain, because customers typed some of it; a link stands alone. */
export type EmailBlock =
	| TextBlock<string>
	| { link: string; url: string }
	/** Labelled values. */
	| { descriptionList: readonly (readonly [label: string, value: string])[] }
	/** The one thing to do, as a button. */
	| { action: string; url: string }
	/** A command line for the operator. */
	| { command: string };
