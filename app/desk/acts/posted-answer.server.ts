import { createContext, type RouterContextProvider } from "react-router";
import type { ActOutcome } from "./act.ts";

type RequestContext = Readonly<RouterContextProvider>;

const postedContext = createContext<ActOutcome | null>(null);

/**
 * Remembers, for the rest of its request, what became of an act. Without JavaScript the page that answers is made in the same request,
 * and its frame shows it, because the act may have taken its own form away.
 */
export function setPosted(context: RequestContext, outcome: ActOutcome): ActOutcome {
	context.set(postedContext, outcome);
	return outcome;
}

/** @returns null for a page that answers no form, and for the readings of a page with scripts, whose forms show their own answers. */
export const getPosted = (context: RequestContext): ActOutcome | null => context.get(postedContext);
