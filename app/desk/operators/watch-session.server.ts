import type { Runtime } from "../../../server/runtime.ts";
import { isSessionOpen } from "./operators.store.server.ts";
import type { SignedIn } from "./sign-in.server.ts";

/**
 * Calls back when a session has ended: signed out, ended by somebody, expired, or its operator has left. The database announces each
 * session that it deletes.
 * @param onEnd may be called more than once. @returns a function that stops watching.
 */
export function watchSession(
	{ db, changes }: Pick<Runtime, "db" | "changes">,
	{ sessionId, until }: Pick<SignedIn, "sessionId" | "until">,
	onEnd: () => void,
): () => void {
	// without a database nobody knows: the page asks again
	const check = () => void isSessionOpen(db, sessionId).then((isOpen) => isOpen || onEnd(), onEnd);
	const unsubscribe = changes.subscribe(`operator session ${sessionId}`, check);
	const timer = setTimeout(onEnd, until.getTime() - Date.now());
	check(); // it may have ended before
	return () => {
		clearTimeout(timer);
		unsubscribe();
	};
}
