import { getParagraph, type Question } from "./text.ts";
import { getText } from "./texts.ts";

/** The questions of /faq (texts/faq.md), in order. */
export const faq: readonly Question[] = getText("/faq").sections.map((section) => ({
	anchor: section.anchor,
	question: section.heading,
	answer: getParagraph(section),
}));

/** The questions about orders, for the support page. */
const orderAnchors = ["delais", "suivi", "annulation", "echec"];
export const orderQuestions = faq.filter(({ anchor }) => orderAnchors.includes(anchor));
