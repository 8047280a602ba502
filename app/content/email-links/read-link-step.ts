import { fillIn, type Variables } from "../fill-in.ts";
import { getSection } from "../text.ts";
import { getText } from "../texts.ts";

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

/** What LinkStepPage shows of a step. @param path the URL of the text that has the step's section. */
export function readLinkStep({ anchor, submit, next }: LinkStep, path: string, variables: Variables) {
	return { section: fillIn(getSection(getText(path), anchor), variables), submit, next };
}
