/** A mail's content, from which both its text and its HTML are made: they cannot differ. Ordinary spaces will do, French ones are put in. */
export interface EmailContent {
	subject: string;
	/** What mailboxes show after the subject. */
	preheader: string;
	/** The heading. */
	title: string;
	blocks: readonly EmailBlock[];
}

export type EmailBlock =
	/** A paragraph. */
	| string
	| { heading: string }
	| { list: readonly string[]; numbered: boolean }
	/** Labelled values. */
	| { facts: readonly (readonly [label: string, value: string])[] }
	/** What to do with the letter: a button, one in a letter. */
	| { action: string; url: string }
	| { link: string; url: string }
	/** Somebody's own words, or those of a declaration, line by line. */
	| { quote: string }
	/** A command line for the operator. */
	| { command: string };
