/** Content of a PDF that no extract of a greffe needs. */
export type PdfFinding =
	| "script" // JavaScript anywhere
	| "automatic-action" // runs when the file is opened, a page is shown or a field is used
	| "launch" // starts a program or opens another file
	| "attachment"
	| "media" // sound, film, 3D
	| "form-sending" // a form that sends data
	| "xfa" // a form in the XFA format
	| "hidden-objects" // objects in a stream that cannot be decompressed
	| "inflation"; // decompresses to far more than pages need

/** The inspector's summary of a file. */
export interface PdfSummary {
	encrypted: boolean;
	/** Without duplicates. A file with a finding is not parsed. */
	findings: PdfFinding[];
	opens: boolean;
	/** 0 when the file was not parsed. */
	pages: number;
	/** The text of all pages with line breaks, cut after `maxTextLength`; empty when there are more than `maxPages`. */
	text: string;
	/** Whether the pages show no text, but pictures: those of a scanner, also with text that is recognised and not drawn. */
	isScan: boolean;
}

/** With fewer letters, a document has no text. */
export const fewestLetters = 50;

export const maxPages = 50;
export const maxTextLength = 500_000; // characters
