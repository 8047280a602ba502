import { fillIn, type Variables } from "../fill-in.ts";
import { getSection } from "../text.ts";
import { getText } from "../texts.ts";
import type { LinkStep } from "./link-step.ts";

/** What LinkStepPage shows of a step. @param path the URL of the text that has the step's section. */
export function readLinkStep({ anchor, submit, next }: LinkStep, path: string, variables: Variables) {
	return { section: fillIn(getSection(getText(path), anchor), variables), submit, next };
}
