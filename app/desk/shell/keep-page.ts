import { href, isRouteErrorResponse, type ShouldRevalidateFunction } from "react-router";
import { isRefusal } from "../../ui/error-page.tsx";

/**
 * Why a form left its page as it was: the browser had no network, the server answered with the sign-in or with the missing role and read
 * nothing of the form, or it refused or failed (`failed`).
 */
export type Unsent = "offline" | "shut-out" | "failed";

/** Says that the session or the role ended while the page was open. */
export const shutOutSentence = "Votre session est terminée, ou un rôle vous a été retiré.";

/** What happened to a form that failed, and what to do, by status. The answer may be that of a proxy: its text is not shown. */
const failures: Readonly<Record<number, string>> = {
	403: "Cet envoi est refusé\u00a0: il ne vient pas de l’adresse du bureau. Ouvrez le bureau à son adresse habituelle dans un autre onglet.",
	408: "Cet envoi a mis trop de temps à nous parvenir. Recommencez, si possible avec une meilleure connexion.",
	413: "Cet envoi est trop volumineux. Raccourcissez le texte, ou envoyez-le en plusieurs fois.",
	429: "Trop d’envois en peu de temps. Attendez une minute, puis recommencez.",
	500: "Une erreur est survenue de notre côté. Recommencez dans un instant.",
	503: "Le serveur ne répond pas pour le moment. Recommencez dans un instant.",
};

/** For forms without words for their own case. */
const unsentSentences: Record<Exclude<Unsent, "failed">, string> = {
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
	const { unsent, page }: { unsent?: Unsent; page?: string } = actionResult ?? {};
	return navigator.onLine !== false && unsent === undefined && page === undefined && defaultShouldRevalidate;
};

/** For `clientAction`: what is sent, before it is. Runs in the browser. */
export const readUnsentForm = (request: Request): Promise<FormData> => request.clone().formData();

/**
 * For `clientAction`: a form that was not read, or whose act failed, leaves the page as it is.
 * @param describe the answer that the page shows. `sentence`: why, and what to do; after a failure, nothing of what became of the form.
 * @throws what leads elsewhere, and what is gone.
 */
export async function keepUnsent<Answer, Kept extends object>(
	serverAction: () => Promise<Answer>,
	describe: (why: Unsent, sentence: string) => Kept,
): Promise<Answer | (Kept & { unsent: Unsent })> {
	try {
		return await serverAction();
	} catch (error) {
		const why = isMissingNetwork(error) ? "offline" : isShutOut(error) ? "shut-out" : null;
		if (why !== null) return { ...describe(why, unsentSentences[why]), unsent: why };
		const failure = describeFailure(error);
		if (failure === null) throw error;
		return { ...describe("failed", failure), unsent: "failed" };
	}
}

/** @returns null for a redirect, and for a status that has its own page, such as that of an order that is gone. */
function describeFailure(error: unknown): string | null {
	if (error instanceof Response) return null;
	const status = isRouteErrorResponse(error) ? error.status : 500;
	return failures[status] ?? (status > 500 ? failures[503] : null) ?? null;
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
