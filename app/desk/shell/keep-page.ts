import { href, isRouteErrorResponse, type ShouldRevalidateFunction } from "react-router";
import { isRefusal } from "../../ui/error-page.tsx";

/**
 * Why a form left its page as it was: the browser had no network, or the server answered with the sign-in or with the missing role and
 * read nothing of the form.
 */
export type Unsent = "offline" | "shut-out";

/** Says that the session or the role ended while the page was open. */
export const shutOutSentence = "Votre session est terminée, ou un rôle vous a été retiré.";

/** For forms without words for their own case. */
export const unsentSentences: Record<Unsent, string> = {
	offline: "Pas de réseau. Rien n’est changé\u00a0: recommencez quand le réseau est revenu.",
	"shut-out": `${shutOutSentence} Rien n’est changé\u00a0: connectez-vous dans un autre onglet, puis recommencez ici.`,
};

/**
 * For `shouldRevalidate` of each page of the desk: without network, and after a form that was not read, its data are not read again,
 * because a reading that fails would put an error or the sign-in in the place of the page and of what was typed. Nor are they after an
 * act that leads to another page.
 */
export const keepPage: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate, currentUrl, nextUrl }) => {
	// another page, also of the same route: never with the data of this one
	if (currentUrl.pathname + currentUrl.search !== nextUrl.pathname + nextUrl.search) return defaultShouldRevalidate;
	const { unsent, page } = (actionResult ?? {}) as { unsent?: Unsent; page?: string };
	return navigator.onLine !== false && unsent === undefined && page === undefined && defaultShouldRevalidate;
};

/** For `clientAction`: what is sent, before it is. Runs in the browser. */
export const readUnsentForm = (request: Request): Promise<FormData> => request.clone().formData();

/**
 * For `clientAction`: a form that was not read leaves the page as it is.
 * @param describe the answer that the page shows. @throws every other error.
 */
export async function keepUnsent<Answer, Kept extends object>(
	serverAction: () => Promise<Answer>,
	describe: (why: Unsent) => Kept,
): Promise<Answer | (Kept & { unsent: Unsent })> {
	try {
		return await serverAction();
	} catch (error) {
		const why = isMissingNetwork(error) ? "offline" : isShutOut(error) ? "shut-out" : null;
		if (why === null) throw error;
		return { ...describe(why), unsent: why };
	}
}

/** Whether a request of the browser did not reach the server: Fetch rejects with a TypeError (fetch.spec.whatwg.org). */
export const isMissingNetwork = (error: unknown): boolean =>
	typeof document !== "undefined" &&
	error instanceof TypeError &&
	(navigator.onLine === false || /fetch|network|load failed/i.test(error.message));

/** Whether the server answered with the sign-in or with the missing role. */
export const isShutOut = (error: unknown): boolean =>
	isRouteErrorResponse(error)
		? error.status === 403 && isRefusal(error.data)
		: error instanceof Response && error.headers.get("location")?.startsWith(href("/bureau/connexion")) === true;
