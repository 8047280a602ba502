import { href, isRouteErrorResponse, type ShouldRevalidateFunction } from "react-router";

/**
 * For `shouldRevalidate` of each page of the desk: without network, and after a form of somebody who was shut out, its data are not read
 * again, because a reading that fails would put an error or the sign-in in the place of the page and of what was typed.
 */
export const keepPageOffline: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) => {
	const { state } = (actionResult ?? {}) as { state?: string };
	return navigator.onLine !== false && state !== "offline" && state !== "shut-out" && defaultShouldRevalidate;
};

/**
 * For `clientAction` of a form that is not an act: without network the page stays as it is, with this answer.
 * @throws what is not a missing network.
 */
export async function answerOffline<Answer, Offline>(serverAction: () => Promise<Answer>, offline: Offline): Promise<Answer | Offline> {
	try {
		return await serverAction();
	} catch (error) {
		if (!isMissingNetwork(error)) throw error;
		return offline;
	}
}

/** Whether a request of the browser did not reach the server: Fetch rejects with a TypeError (fetch.spec.whatwg.org). */
export const isMissingNetwork = (error: unknown): boolean =>
	typeof document !== "undefined" &&
	error instanceof TypeError &&
	(navigator.onLine === false || /fetch|network|load failed/i.test(error.message));

/** Why nothing was sent or read, for somebody who was shut out while the page was open. */
export const shutOut = "Votre session est terminée, ou un rôle vous a été retiré.";

/** Whether the server answered a form with the sign-in or with the missing role: it read nothing of the form. */
export const isShutOut = (error: unknown): boolean =>
	isRouteErrorResponse(error)
		? error.status === 403
		: error instanceof Response && error.headers.get("location")?.startsWith(href("/bureau/connexion")) === true;
