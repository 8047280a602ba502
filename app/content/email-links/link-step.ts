/** The page behind a link of an e-mail: a section of a text, then a button or a link. */
export interface LinkStep {
	/** The section's anchor. */
	anchor: string;
	status: number;
	/** The label of a button that posts to the page's URL. Opening the link changes nothing, because mail scanners open links too. */
	submit?: string;
	/** A link to the next page. */
	next?: { label: string; url: string };
}
