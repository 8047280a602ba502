import type { Question } from "./text.ts";
import { texts } from "./texts.ts";

/** The questions of /faq (texts/faq.md), in their order, each under its anchor. */
export const faq: readonly Question[] = (texts["/faq"]?.sections ?? []).map(({ anchor, heading, content: [answer] }) => {
	if (typeof answer !== "string") throw new Error(`the answer to « ${heading} » is not one paragraph`);
	return { anchor, question: heading, answer };
});

/** Those that an order raises, for the support page. */
const anchorsOfOrders = ["delais", "suivi", "annulation", "echec"];
export const orderQuestions = faq.filter(({ anchor }) => anchorsOfOrders.includes(anchor));
