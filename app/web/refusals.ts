/** What is refused before any route sees it, or because no route can answer it now: status → what people read. */
export const refusals = {
	400: "L’adresse demandée est mal formée.",
	403: "Cette demande vient d’un autre site : elle est refusée.",
	405: "Ce site n’accepte que les méthodes GET, HEAD et POST.",
	413: "Votre envoi est trop volumineux.",
	414: "L’adresse demandée est trop longue.",
	429: "Trop de demandes ont été envoyées en peu de temps. Réessayez dans une minute.",
	500: "Une erreur est survenue de notre côté. Réessayez dans un instant.",
	503: "Notre base de données ne répond pas pour le moment. Réessayez dans un instant.",
} as const;

export type RefusalStatus = keyof typeof refusals;

/** OPTIONS is let through to the routes, which refuse it: the shop answers no other site's preflight. */
const acceptedMethods: readonly string[] = ["GET", "HEAD", "POST", "OPTIONS"];

/** Links of one page that lead to pages of ours. */
const mostLinks = 60;

/** Longest path, in characters: the longest of ours, with a signed token, has a few hundred. */
const longestPath = 2048;

/**
 * Looks at a request as it comes in.
 * @param ownOrigin scheme, host and port of the shop as browsers know it.
 * @returns the status to refuse it with, or null.
 */
export function findRefusal(request: Request, ownOrigin: string): RefusalStatus | null {
	if (!acceptedMethods.includes(request.method)) return 405;
	// a host such as 99999999999 passes the parser of HTTP, and makes no URL
	if (!URL.canParse(request.url)) return 400;
	if (isTooLong(request.url) || asksForManyRoutes(request.url)) return 414;
	// no text of ours has a NUL, and PostgreSQL takes none
	if (!isDecodable(request.url) || request.url.includes("%00")) return 400;
	return isCrossOrigin(request, ownOrigin) ? 403 : null;
}

/**
 * Whether the framework's router asks for the modules of more links than a page has: each is matched with all routes, and the 1 200 that
 * the framework lets through take the processor for 90 ms.
 */
function asksForManyRoutes(url: string): boolean {
	const { pathname, searchParams } = new URL(url);
	return pathname === "/__manifest" && (searchParams.get("paths")?.split(",").length ?? 0) > mostLinks;
}

/** Whether routes can be looked up for an address, also for the log of what was refused because of it. */
export const isMatchable = (url: string): boolean => URL.canParse(url) && !isTooLong(url) && isDecodable(url);

const isTooLong = (url: string) => new URL(url).pathname.length > longestPath;

function isDecodable(url: string): boolean {
	try {
		decodeURIComponent(new URL(url).pathname);
		return true;
	} catch {
		return false;
	}
}

/**
 * Whether the page of another site sends this: it may not act here. Browsers name its origin, and where they do not, how near it is
 * (W3C, Fetch Metadata); a program that is no browser says neither, and has no cookies of anybody.
 */
function isCrossOrigin({ method, headers, url }: Request, ownOrigin: string): boolean {
	if (method === "GET" || method === "HEAD") return false;
	const origin = headers.get("origin");
	if (origin === null) return ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
	if (origin === ownOrigin) return false;
	// without TLS, the shop may be reached under several names of this machine
	return ownOrigin.startsWith("https:") || origin !== new URL(url).origin;
}
