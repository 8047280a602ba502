import { getParagraph, type Question } from "./text.ts";
import { getText } from "./texts.ts";

/** The questions of /faq (texts/faq.md), in their order, each under its anchor. */
export const faq: readonly Question[] = getText("/faq").sections.map((section) => ({
	anchor: section.anchor,
	question: section.heading,
	answer: getParagraph(section),
}));

/** Those that an order raises, for the support page. */
const orderAnchors = ["delais", "suivi", "annulation", "echec"];
export const orderQuestions = faq.filter(({ anchor }) => orderAnchors.includes(anchor));
