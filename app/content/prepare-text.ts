import type { Environment } from "../../server/environment.ts";
import { factsOf } from "./facts.ts";
import { fillIn } from "./legal-text.ts";

/** What the loader of a page of texts answers. */
export interface PreparedText<Content> {
	text: Content;
	demo: boolean;
	canonical: string;
}

/** Puts the shop's values into a page's texts. @param path the page's own address */
export function prepareText<Content>(text: Content, path: string, environment: Environment): PreparedText<Content> {
	return { text: fillIn(text, factsOf(environment)), demo: !environment.production, canonical: environment.baseUrl + path };
}

/** Name, description and address of the page, for its head. */
export function describePage({ text, canonical }: PreparedText<{ title: string; description: string }>) {
	return [{ title: text.title }, { name: "description", content: text.description }, { tagName: "link", rel: "canonical", href: canonical }];
}
