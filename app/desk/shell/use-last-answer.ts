import { useRef } from "react";

/** The answer to the last form of a page: the framework forgets it when the page is read again. @param answer the route's action data. */
export function useLastAnswer<Answer>(answer: Answer | undefined): Answer | undefined {
	const last = useRef(answer);
	if (answer !== undefined) last.current = answer;
	return last.current;
}
