/** What a PDF may hold beside pages, and that no extract of a greffe needs. */
export type PdfFinding =
	| "script" // JavaScript, wherever it is tied
	| "automatic-action" // something happens when the file is opened, a page turned, a field touched
	| "launch" // starts a program or opens another file
	| "attachment"
	| "media" // sound, film, 3D
	| "form-sending" // a form that sends what is typed to somewhere
	| "xfa" // a form in another language, inside
	| "hidden-objects" // objects packed so that they cannot be looked at
	| "inflation"; // unpacks to far more than pages need

/** What the inspector says of a file. */
export interface PdfSummary {
	encrypted: boolean;
	/** Each once. A file with a finding is not opened. */
	findings: PdfFinding[];
	opens: boolean;
	/** 0 when it was not opened. */
	pages: number;
	/** Of all pages, a line break where the page has one. Cut after `longestText`; empty when there are more than `mostPages`. */
	text: string;
}

export const mostPages = 50;
export const longestText = 500_000; // characters
