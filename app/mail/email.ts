import type { TextBlock } from "../ui/markdown/rich-text.ts";

/** The content of an e-mail, from which its text and its HTML are rendered. French no-break spaces are inserted by the rendering. */
export interface EmailContent {
	subject: string;
	/** The text that mailboxes show after the subject. */
	preheader: string;
	/** The heading. */
	title: string;
	blocks: readonly EmailBlock[];
}

/** Texts are plain, because customers typed some of them; a link is a separate block. */
export type EmailBlock =
	| TextBlock<string>
	| { link: string; url: string }
	/** Labelled values. */
	| { descriptionList: readonly (readonly [label: string, value: string])[] }
	/** The main action, as a button. */
	| { action: string; url: string }
	/** A command line for the operator. */
	| { command: string };
