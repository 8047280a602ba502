import type { ShouldRevalidateFunction } from "react-router";

/**
 * For `shouldRevalidate` of each page of the desk: without network its data are not read again, because a reading that fails would put an
 * error in the place of the page and of what was typed.
 */
export const keepPageOffline: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) => {
	const isOffline = navigator.onLine === false || (actionResult as { state?: string } | undefined)?.state === "offline";
	return !isOffline && defaultShouldRevalidate;
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
