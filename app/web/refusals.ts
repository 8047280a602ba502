import type { BodyRefused } from "./bounded-body.ts";

/** The sentences for requests that the front refuses, by status. */
export const refusals = {
	400: "L’adresse demandée est mal formée.",
	403: "Cette demande vient d’un autre site\u00a0: elle est refusée.",
	405: "Ce site n’accepte que les méthodes GET, HEAD et POST.",
	408: "Votre envoi a mis trop de temps à nous parvenir.",
	413: "Votre envoi est trop volumineux.",
	414: "L’adresse demandée est trop longue.",
	429: "Trop de demandes ont été envoyées en peu de temps. Réessayez dans une minute.",
	500: "Une erreur est survenue de notre côté. Réessayez dans un instant.",
	503: "Notre base de données ne répond pas pour le moment. Réessayez dans un instant.",
} as const;

export type RefusalStatus = keyof typeof refusals;

const tooManyFields = "Votre envoi contient trop de champs ou de fichiers. Envoyez-le en plusieurs fois.";

/** Why a body was not read. */
export function describeBodyRefusal({ reason }: BodyRefused): { status: 408 | 413; sentence: string } {
	if (reason === "seconds") return { status: 408, sentence: refusals[408] };
	return { status: 413, sentence: reason === "fields" ? tooManyFields : refusals[413] };
}

/** Routes refuse OPTIONS: the shop accepts no cross-origin preflight. */
const acceptedMethods: readonly string[] = ["GET", "HEAD", "POST", "OPTIONS"];

/** The number of internal links on one page. */
const maxLinks = 60;

/** In characters. Our longest paths, with a signed token, have a few hundred. */
const maxPathLength = 2048;

/**
 * Checks a request before any route handles it.
 * @param ownOrigin scheme, host and port of the shop as browsers know it.
 * @returns the status to refuse it with, or null.
 */
export function findRefusal(request: Request, ownOrigin: string): RefusalStatus | null {
	if (!acceptedMethods.includes(request.method)) return 405;
	// a host such as 99999999999 passes the HTTP parser, but is no valid URL
	if (!URL.canParse(request.url)) return 400;
	const links = listManifestPaths(request.url);
	if (isTooLong(request.url) || links.length > maxLinks) return 414;
	// PostgreSQL accepts no NUL
	if (!isDecodable(request.url) || request.url.includes("%00") || !links.every(isPlainPath)) return 400;
	return isCrossOrigin(request, ownOrigin) ? 403 : null;
}

/**
 * The paths whose modules a request asks the framework's router for, encoded as the router matches them. Each is matched with all routes:
 * the 1,200 that the framework accepts cost 90 ms of processor time.
 * @returns an empty list for any other URL.
 */
export function listManifestPaths(url: string): string[] {
	const { pathname, searchParams } = new URL(url);
	return pathname === "/__manifest" ? (searchParams.get("paths") ?? "").split(",") : [];
}

/** The router writes a path that it cannot decode to the process's output: control characters could forge lines or move a cursor. */
function isPlainPath(path: string): boolean {
	const decoded = decode(path);
	return decoded !== null && !/\p{Cc}/u.test(decoded);
}

/** Whether a URL can be matched with routes. */
export const isMatchable = (url: string): boolean => URL.canParse(url) && !isTooLong(url) && isDecodable(url);

const isTooLong = (url: string) => new URL(url).pathname.length > maxPathLength;

const isDecodable = (url: string) => decode(new URL(url).pathname) !== null;

function decode(text: string): string | null {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}

/**
 * Whether a page of another site sends this form. Browsers send its origin, or otherwise Sec-Fetch-Site (W3C, Fetch Metadata).
 * Programs send neither, but have no user's cookies either.
 */
function isCrossOrigin({ method, headers, url }: Request, ownOrigin: string): boolean {
	if (method === "GET" || method === "HEAD") return false;
	const origin = headers.get("origin");
	if (origin === null) return ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
	if (origin === ownOrigin) return false;
	// without TLS, this machine may have several names
	return ownOrigin.startsWith("https:") || origin !== new URL(url).origin;
}
